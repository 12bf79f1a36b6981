import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { write } from '../../db/statements/calls.ts';
import { byText } from '../../db/statements/keyed-query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import type { HistoryKind } from './tables.ts';

export type HistoryRow = RowOf<'import_history'>;
export type NewHistoryRow = Omit<HistoryRow, 'id'>;

const insert = insertRows<NewHistoryRow>('import_history');

/** Every version, oldest first; the systems are few, so the index by record finds them. */
const byRecord = byText<HistoryRow>((db, isKey) =>
  db.selectFrom('import_history').selectAll().where(isKey('external_id')).orderBy('id'),
);

/** Only the latest version of each record. */
function ofUser(db: Kysely<Tables>, p: { user_id: number }) {
  return db
    .selectFrom('import_history')
    .where('user_id', '=', p.user_id)
    .where(
      sql<boolean>`not exists (select 1 from import_history as later
        where later.system = import_history.system and later.kind = import_history.kind
          and later.external_id = import_history.external_id
          and later.import_id > import_history.import_id)`,
    );
}

/** Newest first. */
export const historyList = pagedList(ofUser, (q) =>
  q
    .selectAll()
    .orderBy(sql`coalesce(happened_at, 0)`, 'desc')
    .orderBy('id', 'desc'),
);

/** Removes some rows of an import; resolves to how many. */
export const removeHistory = write<{ import_id: number; limit: number }>((db, p) =>
  db
    .deleteFrom('import_history')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('import_history')
        .select('id')
        .where('import_id', '=', p.import_id)
        .orderBy('id')
        .limit(p.limit),
    ),
);

export async function addHistory(tx: Transaction, rows: readonly NewHistoryRow[]): Promise<void> {
  await tx.runMany(insert, rows);
}

/** The latest version of each of these records of a system, by kind and id. */
export async function findLatest(
  db: Reader,
  system: string,
  externalIds: readonly string[],
): Promise<Map<string, HistoryRow>> {
  const rows = await db.allByKeys(byRecord, [...new Set(externalIds)]);
  const own = rows.filter((row) => row.system === system);
  own.sort((a, b) => a.import_id - b.import_id);
  return new Map(own.map((row) => [recordKey(row.kind, row.external_id), row]));
}

export function recordKey(kind: HistoryKind, externalId: string): string {
  return `${kind} ${externalId}`;
}
