import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { SettingDefinition } from '../../kernel/setting.ts';
import type { Site } from '../../kernel/site.ts';

const all = query<object, { key: string; value: string }>((db) =>
  db.selectFrom('settings').select(['key', 'value']),
);

const save = query<{ key: string; value: string; updated_at: number }>((db, p) =>
  db
    .insertInto('settings')
    .values({ key: p.key, value: p.value, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: p.value, updated_at: p.updated_at }),
    ),
);

/** What is stored, readable: secrets are decrypted here and nowhere else. */
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
  const stored = setting.secret ? site.keyring.encrypt(purposeOf(key), String(value)) : value;
  await tx.run(save, { key, value: JSON.stringify(stored), updated_at: nowMs });
}

/** Undefined where the installation's own secret is not the one it was stored under. */
function decrypted(site: Site, key: string, stored: string): string | undefined {
  try {
    return site.keyring.decrypt(purposeOf(key), stored);
  } catch {
    site.log.warn({ key }, 'a stored credential cannot be read: enter it again');
    return undefined;
  }
}

/** One a setting, so that nobody can put one credential in the place of another. */
const purposeOf = (key: string) => `setting ${key}`;
