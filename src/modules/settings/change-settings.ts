import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { asksForProof } from '../../kernel/declare/setting.ts';
import { answerSettings, settingsPatchSchema, settingsSchema } from './setting-wire.ts';
import { checkValues, refuseWhatCallerMayNotChange, withoutMasks } from './settings-input.ts';
import { storeSettings } from './store-settings.ts';

const exampleChange = { 'commission.percent': 12, 'site.name': 'Alpine Supply' };

export const changeSettings = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/settings',
  summary: 'Change settings',
  description:
    'Takes effect immediately. One bad value, or one setting that only administrators may change ' +
    '(x-changeable-by in the schema), and nothing is changed. For those, and for settings that decide who earns or is ' +
    'paid what, a session needs a recent proof. With If-Match, a change by another user ' +
    'since that version is answered with 412, which lists in data.changed what was changed and by whom.',
  access: 'admin',
  scope: 'manage',
  proof: (input, site) => withoutMasks(site, input).some(({ setting }) => asksForProof(setting)),
  body: settingsPatchSchema,
  example: { body: exampleChange, response: exampleChange },
  response: settingsSchema,
  headers: { ETag: 'The version of the settings after the change.' },
  errors: [generalErrors.changedMeanwhile],
  check: checkValues,
  async handle({ db, site, caller, nowMs, request }, input: Record<string, unknown>) {
    const asked = withoutMasks(site, input);
    refuseWhatCallerMayNotChange(caller, asked);
    const { ifMatch } = request;
    await storeSettings(db, site, asked, { userId: actorId(caller), nowMs, ifMatch });
    return answerSettings(db, site);
  },
});
