import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import { removeFirst, removeInPieces } from '../../db/remove-in-pieces.ts';
import type { IdempotencyKeysTable } from '../../db/tables.ts';

export type AnswerRow = Selectable<IdempotencyKeysTable>;

interface Place {
  identity: string;
  key: string;
  /** Older rows are as good as gone, whether they have been removed by now or not. */
  kept_since: number;
}

const find = query<Place, AnswerRow>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('identity', '=', p.identity)
    .where('key', '=', p.key)
    .where('created_at', '>', p.kept_since),
);

const insert = query<AnswerRow & Place>((db, p) =>
  db
    .insertInto('idempotency_keys')
    .values({
      identity: p.identity,
      key: p.key,
      request_hash: p.request_hash,
      status: p.status,
      headers: p.headers,
      body: p.body,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['identity', 'key'])
        .doUpdateSet((eb) => ({
          request_hash: eb.ref('excluded.request_hash'),
          status: eb.ref('excluded.status'),
          headers: eb.ref('excluded.headers'),
          body: eb.ref('excluded.body'),
          created_at: eb.ref('excluded.created_at'),
        }))
        .where('idempotency_keys.created_at', '<=', p.kept_since),
    ),
);

const removeOld = removeFirst<{ kept_since: number }>(
  'idempotency_keys',
  'created_at',
  (p) => sql<SqlBool>`created_at <= ${p.kept_since}`,
);

export function findAnswer(db: Reader, place: Place): Promise<AnswerRow | undefined> {
  return db.first(find, place);
}

/** Whether there was room: false when an answer is kept there already. */
export async function insertAnswer(
  tx: Transaction,
  row: AnswerRow,
  keptSince: number,
): Promise<boolean> {
  return (await tx.run(insert, { ...row, kept_since: keptSince })) === 1;
}

export function removeAnswersBefore(database: Database, keptSince: number): Promise<void> {
  return removeInPieces(database, removeOld, { kept_since: keptSince });
}
