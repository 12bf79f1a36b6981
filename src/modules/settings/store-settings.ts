import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { shownValue, type SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { loadSettings, saveSetting } from './setting-store.ts';

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
 * commits. Returns the changed values with secrets masked.
 */
export async function storeSettings(
  tx: Transaction,
  site: Site,
  values: readonly NewValue[],
  { userId, nowMs }: { userId: number; nowMs: number },
): Promise<Record<string, unknown>> {
  await tx.lock('settings');
  // Compared with the database, because another process may have changed them.
  const stored = new Map(await loadSettings(tx, site));
  const changed = values.filter(({ setting, value }) => {
    const before = stored.has(setting.key) ? stored.get(setting.key) : setting.default;
    return !isDeepStrictEqual(value, before);
  });
  if (changed.length === 0) return {};
  await refuseWhatMayNotChange(tx, changed);

  for (const { setting, value } of changed) await saveSetting(tx, site, setting, value, nowMs);
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
  return shown;
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
