import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { Nullable } from '../../kernel/declare/schemas.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { loadVersion } from './setting-rows.ts';
import { currentValue, settingsPatchSchema } from './setting-wire.ts';
import { checkValues, refuseWhatCallerMayNotChange, withoutMasks } from './settings-input.ts';

const EffectSchema = Type.Object(
  {
    setting: Type.String({ description: 'The setting that would have the effect.' }),
    text: Type.String({ description: 'A sentence for people.' }),
    count: Nullable(
      Type.Integer({
        description: 'How many records the sentence counts; null if it counts none.',
      }),
    ),
    refused: Type.Boolean({
      description: 'True if the change would be refused; the text says why.',
    }),
  },
  { $id: 'SettingEffect' },
);

/** The body is that of `PATCH /settings`, so that a form sends both the same. */
export const describeEffects = operation({
  method: 'POST',
  namespace: 'store',
  path: '/settings/effects',
  summary: 'Describe the effects of a change of settings',
  description:
    'Takes what PATCH /settings takes and changes nothing: it says in words what the change would lead ' +
    'to, such as how many affiliates fall below a new minimum. A setting without an entry has no effect ' +
    'other than its new value.',
  access: 'admin',
  scope: 'manage',
  long: true,
  body: settingsPatchSchema,
  response: Type.Object({ effects: Type.Array(EffectSchema) }, { $id: 'SettingEffects' }),
  example: {
    body: { 'payouts.threshold': 50 },
    response: {
      effects: [
        {
          setting: 'payouts.threshold',
          text: '12 affiliates fall below the new minimum.',
          count: 12,
          refused: false,
        },
      ],
    },
  },
  check: checkValues,
  // It only reads, and waits for no writer.
  transaction: false,
  async handle({ db, site, caller, nowMs }, input: Record<string, unknown>) {
    const asked = withoutMasks(site, input);
    refuseWhatCallerMayNotChange(caller, asked);
    const { values } = await loadVersion(db, site);
    const sources = site.registry.contributions(settingEffects);
    const effects: Static<typeof EffectSchema>[] = [];
    for (const { setting, value } of asked) {
      const before = currentValue(site, setting, values);
      if (isDeepStrictEqual(before, value)) continue;
      const refusal = await setting.refuseChange?.(db);
      if (refusal !== undefined) {
        effects.push({ setting: setting.key, text: sentence(refusal), count: null, refused: true });
        continue;
      }
      const change = { before, after: value, db, site, nowMs };
      for (const source of sources.filter(({ setting: key }) => key === setting.key)) {
        for (const { text, count = null } of await source.describe(change)) {
          effects.push({ setting: setting.key, text, count, refused: false });
        }
      }
    }
    return { effects };
  },
});

/** `cannot be changed: …` → `It cannot be changed: ….` */
function sentence(reason: string): string {
  return `It ${reason}${reason.endsWith('.') ? '' : '.'}`;
}
