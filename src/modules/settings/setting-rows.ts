import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { SecretLocation } from '../../shared/secrets.ts';

type SettingRow = RowOf<'settings'>;

const all = query<object, SettingRow>((db) => db.selectFrom('settings').selectAll());

const save = rowQuery<Omit<SettingRow, 'version'>>((db, { key, ...setting }) => {
  // The lock `settings` makes it unique.
  const version = sql<number>`(select coalesce(max(version), 0) + 1 from settings)`;
  return db
    .insertInto('settings')
    .values({ key, ...setting, version })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...setting, version }));
});

/** The stored values. Secrets are decrypted only here. */
export async function loadSettings(db: Reader, site: Site): Promise<[string, unknown][]> {
  return valuesOf(site, await db.all(all, {}));
}

/** The stored values together with their version, which rises with every change. */
export interface StoredSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly version: number;
  /** The settings that were changed after a version, by whom and when. */
  changedSince(version: number): Pick<SettingRow, 'key' | 'updated_by' | 'updated_at'>[];
}

export async function loadVersion(db: Reader, site: Site): Promise<StoredSettings> {
  const rows = await db.all(all, {});
  return {
    values: new Map(valuesOf(site, rows)),
    version: Math.max(0, ...rows.map((row) => row.version)),
    changedSince: (version) => rows.filter((row) => row.version > version),
  };
}

/** The stored value of a setting, or its default: another process may have changed it since it was loaded. */
export async function storedSetting<S extends TSchema>(
  db: Reader,
  site: Site,
  setting: SettingDefinition<S>,
): Promise<Static<S>> {
  const values = new Map(await loadSettings(db, site));
  // Stored values were checked against the schema of their setting.
  return (values.has(setting.key) ? values.get(setting.key) : setting.default) as Static<S>;
}

function valuesOf(site: Site, rows: readonly SettingRow[]): [string, unknown][] {
  const settings = site.registry.modules.flatMap((module) => module.settings ?? []);
  const secrets = new Set(settings.filter(({ secret }) => secret).map(({ key }) => key));
  return rows.flatMap(({ key, value }) => {
    const stored: unknown = JSON.parse(value);
    if (!secrets.has(key)) return [[key, stored]];
    const plain = decrypted(site, key, String(stored));
    return plain === undefined ? [] : [[key, plain]];
  });
}

/** The caller holds the lock `settings`. */
export async function saveSetting(
  tx: Transaction,
  site: Site,
  setting: SettingDefinition,
  value: unknown,
  { userId = 0, nowMs }: { userId?: number; nowMs: number },
): Promise<void> {
  const { key } = setting;
  const stored = setting.secret ? site.keyring.encrypt(placeOf(key), String(value)) : value;
  const row = { key, value: JSON.stringify(stored), updated_at: nowMs, updated_by: userId };
  await tx.run(save, row);
}

/** Undefined if the value was encrypted with another installation secret. */
function decrypted(site: Site, key: string, stored: string): string | undefined {
  try {
    return site.keyring.decrypt(placeOf(key), stored);
  } catch {
    site.log.warn({ key }, 'a stored credential cannot be read: enter it again');
    return undefined;
  }
}

function placeOf(key: string): SecretLocation {
  return { table: 'settings', column: 'value', row: key };
}
