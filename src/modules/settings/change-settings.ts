import { actorId, isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { SECRET_MASK } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { settingsPatchSchema, settingsSchema, toSettings } from './setting-wire.ts';
import { storeSettings, type NewValue } from './store-settings.ts';

const exampleChange = { 'commission.percent': 12, 'site.name': 'Alpine Supply' };

export const changeSettings = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/settings',
  summary: 'Change settings',
  description:
    'Takes effect at once. One bad value, or one setting that only administrators may change ' +
    '(x-changeable-by in the schema), and nothing is changed.',
  access: 'admin',
  scope: 'manage',
  body: settingsPatchSchema,
  example: { body: exampleChange, response: exampleChange },
  response: settingsSchema,
  check(input: Record<string, unknown>, { invalid }, site) {
    for (const { setting, value } of withoutMasks(site, input)) {
      const reason = site.settings.isFixed(setting)
        ? 'is given by the configuration and cannot be changed here'
        : setting.check?.(value, site);
      if (reason !== undefined) invalid[setting.key] = reason;
    }
  },
  async handle({ db, site, caller, nowMs }, input: Record<string, unknown>) {
    const asked = withoutMasks(site, input);
    refuseWhatCallerMayNotChange(caller, asked);
    const shown = await storeSettings(db, site, asked, { userId: actorId(caller), nowMs });
    return { ...toSettings(site), ...shown };
  },
});

/** Reading the settings returns a mask for a secret; sending the mask back does not change the secret. */
function withoutMasks(site: Site, input: Record<string, unknown>): NewValue[] {
  return Object.entries(input)
    .map(([key, value]) => ({ setting: site.registry.settings().get(key)!, value }))
    .filter(({ setting, value }) => !(setting.secret && value === SECRET_MASK));
}

function refuseWhatCallerMayNotChange(caller: Caller, asked: NewValue[]): void {
  if (isPluginAdmin(caller)) return;
  const keys = asked
    .filter(({ setting }) => !setting.managersMayChange)
    .map(({ setting }) => setting.key);
  if (keys.length === 0) return;
  throw new ApiError(generalErrors.forbidden, {
    message: `Only administrators may change ${keys.join(', ')}.`,
    data: { params: Object.fromEntries(keys.map((key) => [key, 'is for administrators only'])) },
  });
}
