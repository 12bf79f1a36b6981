import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { shownValue, type SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { loadVersion, saveSetting } from './setting-rows.ts';
import { requireVersion } from './settings-version.ts';

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

export interface NewValue {
  readonly setting: SettingDefinition;
  readonly value: unknown;
}

/**
 * Stores the values that differ and emits one event for them. They take effect when the transaction
 * commits. With `ifMatch`, they are refused if another version is stored.
 */
export async function storeSettings(
  tx: Transaction,
  site: Site,
  values: readonly NewValue[],
  { userId, nowMs, ifMatch }: { userId: number; nowMs: number; ifMatch?: string | undefined },
): Promise<void> {
  await tx.lock('settings');
  // Compared with the database, because another process may have changed them.
  const stored = await loadVersion(tx, site);
  const changed = values.filter(({ setting, value }) => {
    const { key } = setting;
    const before = stored.values.has(key) ? stored.values.get(key) : setting.default;
    return !isDeepStrictEqual(value, before);
  });
  // Also when a change is sent again because its first response was lost.
  if (changed.length === 0) return;
  await requireVersion(tx, site, ifMatch, stored);
  await refuseWhatMayNotChange(tx, changed);

  for (const { setting, value } of changed) {
    await saveSetting(tx, site, setting, value, { userId, nowMs });
  }
  const shown = Object.fromEntries(
    changed.map(({ setting, value }) => [setting.key, shownValue(setting, value)]),
  );
  emit(tx, settingsUpdated, {
    objectId: 0,
    userId,
    info: `Settings changed: ${Object.keys(shown).join(', ')}.`,
    data: { changed: shown },
    nowMs,
  });
  const applied = changed.map(({ setting, value }): [string, unknown] => [setting.key, value]);
  tx.afterCommitEverywhere(() => site.settings.apply(applied, { whole: false }));
}

async function refuseWhatMayNotChange(
  tx: Transaction,
  changed: readonly NewValue[],
): Promise<void> {
  const reasons: Record<string, string> = {};
  for (const { setting } of changed) {
    const reason = await setting.refuseChange?.(tx);
    if (reason !== undefined) reasons[setting.key] = reason;
  }
  if (Object.keys(reasons).length > 0) throw invalidParameters(reasons);
}
