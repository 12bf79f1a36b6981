import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { actorId, isPluginAdmin, type Caller } from '../../kernel/caller.ts';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import { defineEvent } from '../../kernel/event.ts';
import { operation } from '../../kernel/operation.ts';
import { SECRET_MASK, shownValue, type SettingDefinition } from '../../kernel/setting.ts';
import type { Site } from '../../kernel/site.ts';
import { emit } from '../events/index.ts';
import { loadSettings, saveSetting } from './setting-store.ts';
import { settingsPatchSchema, settingsSchema, toSettings } from './setting-wire.ts';

export const settingsUpdated = defineEvent(
  'settings.updated',
  'Settings were changed.',
  Type.Object({
    changed: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The new values by key; credentials are masked.',
    }),
  }),
  {
    id: 15,
    timestamp: '2026-01-10T11:30:00.154Z',
    data: { changed: { 'commission.percent': 10, 'payouts.threshold': 5 } },
  },
);

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
  example: { body: { 'commission.percent': 12, 'site.name': 'Alpine Supply' } },
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
    await db.lock('settings');
    // Compared with the database, not with memory: another process may have been here just now.
    const stored = new Map(await loadSettings(db, site));
    const changed = asked.filter(({ setting, value }) => {
      const before = stored.has(setting.key) ? stored.get(setting.key) : setting.default;
      return !isDeepStrictEqual(value, before);
    });
    if (changed.length === 0) return toSettings(site);

    for (const { setting, value } of changed) await saveSetting(db, site, setting, value, nowMs);
    const shown = Object.fromEntries(
      changed.map(({ setting, value }) => [setting.key, shownValue(setting, value)]),
    );
    await emit(db, settingsUpdated, {
      objectId: 0,
      userId: actorId(caller),
      info: `Settings changed: ${Object.keys(shown).join(', ')}.`,
      data: { changed: shown },
      nowMs,
    });
    const values = changed.map(({ setting, value }): [string, unknown] => [setting.key, value]);
    db.afterCommitEverywhere(() => site.settings.apply(values, { whole: false }));
    return { ...toSettings(site), ...shown };
  },
});

interface Wish {
  setting: SettingDefinition;
  value: unknown;
}

/** The mask in place of a secret is what reading the settings gave: it leaves the secret alone. */
function withoutMasks(site: Site, input: Record<string, unknown>): Wish[] {
  return Object.entries(input)
    .map(([key, value]) => ({ setting: site.registry.settings().get(key)!, value }))
    .filter(({ setting, value }) => !(setting.secret && value === SECRET_MASK));
}

function refuseWhatCallerMayNotChange(caller: Caller, asked: Wish[]): void {
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
