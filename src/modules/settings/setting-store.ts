import type { Database, Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { readUnbound } from '../../kernel/call/read-unbound.ts';
import { isBound, type SecretLocation } from '../../shared/secrets.ts';

const all = query<object, { key: string; value: string; updated_at: number }>((db) =>
  db.selectFrom('settings').select(['key', 'value', 'updated_at']),
);

const save = query<{ key: string; value: string; updated_at: number }>((db, p) =>
  db
    .insertInto('settings')
    .values({ key: p.key, value: p.value, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: p.value, updated_at: p.updated_at }),
    ),
);

/** The stored values. Secrets are decrypted only here. */
export async function loadSettings(db: Reader, site: Site): Promise<[string, unknown][]> {
  const rows = await db.all(all, {});
  const settings = site.registry.modules.flatMap((module) => module.settings ?? []);
  const secrets = new Set(settings.filter(({ secret }) => secret).map(({ key }) => key));
  return rows.flatMap(({ key, value }) => {
    const stored: unknown = JSON.parse(value);
    if (!secrets.has(key)) return [[key, stored]];
    const plain = decrypted(site, key, String(stored));
    return plain === undefined ? [] : [[key, plain]];
  });
}

export async function saveSetting(
  tx: Transaction,
  site: Site,
  setting: SettingDefinition,
  value: unknown,
  nowMs: number,
): Promise<void> {
  const { key } = setting;
  const stored = setting.secret ? site.keyring.encrypt(placeOf(key), String(value)) : value;
  await tx.run(save, { key, value: JSON.stringify(stored), updated_at: nowMs });
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

/** Binds credentials that an earlier version encrypted to their settings. */
export async function bindSettings(
  database: Database,
  { keyring }: Pick<Site, 'keyring'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.lock('settings');
    for (const { key, value, updated_at } of await tx.all(all, {})) {
      const stored: unknown = JSON.parse(value);
      if (typeof stored !== 'string' || isBound(stored)) continue;
      const plain = readUnbound(keyring, `setting ${key}`, stored);
      // Most settings are not credentials and are stored as plain text.
      if (plain === undefined) continue;
      const bound = JSON.stringify(keyring.encrypt(placeOf(key), plain));
      await tx.run(save, { key, value: bound, updated_at });
    }
  });
}
