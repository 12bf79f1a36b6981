import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';

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

export async function loadSettings(db: Reader): Promise<[string, unknown][]> {
  const rows = await db.all(all, {});
  return rows.map((row) => [row.key, JSON.parse(row.value)]);
}

export async function saveSetting(
  tx: Transaction,
  key: string,
  value: unknown,
  nowMs: number,
): Promise<void> {
  await tx.run(save, { key, value: JSON.stringify(value), updated_at: nowMs });
}
