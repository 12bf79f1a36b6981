import { sql, type SqlBool } from 'kysely';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { write } from '../../db/statements/calls.ts';
import { deleteInBatches, updateInBatches } from '../../db/statements/in-batches.ts';
import { instant } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';

export type ResponseRow = RowOf<'idempotency_keys'>;

/** The status of a row that reserves its key; `body` holds the name of the reservation. */
export const RESERVED = 0;

interface RowKey {
  identity: string;
  key: string;
}

const find = query<RowKey & { now: number }, ResponseRow>((db, p) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('identity', '=', p.identity)
    .where('key', '=', p.key)
    .where('status', '<>', RESERVED)
    // The job that removes expired rows may be late.
    .where('expires_at', '>', p.now),
);

type Put = ResponseRow & { now: number; reservation: string };

/** Inserts a row, or overwrites one that has expired or is the reservation of that name. */
const put = rowQuery<Put>((db, { now, reservation, identity, key, ...response }) =>
  db
    .insertInto('idempotency_keys')
    .values({ identity, key, ...response })
    .onConflict((conflict) =>
      conflict
        .columns(['identity', 'key'])
        .doUpdateSet(response)
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', now),
            eb.and([
              eb('idempotency_keys.status', '=', RESERVED),
              eb('idempotency_keys.body', '=', reservation),
            ]),
          ]),
        ),
    ),
);

export const removeReservation = write<RowKey & { reservation: string }>((db, p) =>
  db
    .deleteFrom('idempotency_keys')
    .where('identity', '=', p.identity)
    .where('key', '=', p.key)
    .where('status', '=', RESERVED)
    .where('body', '=', p.reservation),
);

const removeOld = deleteInBatches<{ now: number }>(
  'idempotency_keys',
  'expires_at',
  (p) => sql<SqlBool>`expires_at <= ${p.now}`,
);

const correct = updateInBatches<{ now: number }>('idempotency_keys', 'key', (p) => ({
  set: sql`expires_at = ${instant(p.now)} + (expires_at - created_at), created_at = ${p.now}`,
  where: sql<SqlBool>`expires_at > ${p.now} and created_at > ${p.now}`,
}));

export function findRow(
  db: Reader,
  rowKey: RowKey,
  nowMs: number,
): Promise<ResponseRow | undefined> {
  return db.first(find, { ...rowKey, now: nowMs });
}

/** False when the key has a response already, or is reserved under another name. */
export async function putRow(
  tx: Transaction,
  row: ResponseRow,
  reservation: string,
  nowMs: number,
): Promise<boolean> {
  return (await tx.run(put, { ...row, reservation, now: nowMs })) === 1;
}

function removeExpired(database: Database, nowMs: number): Promise<void> {
  return removeOld(database, { now: nowMs });
}

/** After the clock was set back, a row from the future counts as created now, so that it lasts no longer than others. */
export function correctInstants({ database }: Site, now: number): Promise<void> {
  return correct(database, { now });
}

/** Runs every minute, because a response with a secret is stored for ten minutes only. */
export const pruneResponses: Job = {
  name: 'idempotency.prune',
  everyMs: 60_000,
  runsOn: 'one',
  run: (site) => removeExpired(site.database, site.clock()),
};
