import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readAll, write } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../../src/db/tables.ts';

export type AttemptRow = RowOf<'webhook_attempts'>;

/** The retry schedule has ten attempts, and each redelivery adds as many. */
const KEPT_PER_DELIVERY = 20;

const insert = insertRows<AttemptRow>('webhook_attempts', { on: ['delivery_id', 'number'] });

const removeUpTo = query<{ delivery_id: number; number: number }>((db, p) =>
  db
    .deleteFrom('webhook_attempts')
    .where('delivery_id', '=', p.delivery_id)
    .where('number', '<=', p.number),
);

/** Newest first. */
export const listAttempts = readAll<{ delivery_id: number }, AttemptRow>((db, p) =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', p.delivery_id)
    .orderBy('number', 'desc'),
);

/** Inserts the last attempt of deliveries that are about to be sent again, where it has no row yet. */
function keepLast(db: Kysely<Tables>, isChosen: RawBuilder<SqlBool>) {
  return db
    .insertInto('webhook_attempts')
    .columns([
      'delivery_id',
      'number',
      'attempted_at',
      'duration_ms',
      'code',
      'error',
      'answer_headers',
      'answer',
    ])
    .expression((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select([
          'id',
          'attempts',
          'attempted_at',
          eb.fn.coalesce('duration_ms', sql<number>`0`).as('duration_ms'),
          'code',
          'error',
          sql<string>`''`.as('answer_headers'),
          sql<string>`''`.as('answer'),
        ])
        .where('attempted_at', 'is not', null)
        .where(isChosen)
        .$narrowType<{ attempted_at: number }>(),
    )
    .onConflict((conflict) => conflict.columns(['delivery_id', 'number']).doNothing());
}

/** Before a delivery is queued again: its row will describe the next attempt. */
export const keepLastAttempt = write<{ id: number; webhook_id: number }>((db, p) =>
  keepLast(db, sql<SqlBool>`id = ${p.id} and webhook_id = ${p.webhook_id}`),
);

/** The same for all finished deliveries of these events, a JSON array. */
export const keepLastAttempts = write<{ webhook_id: number; event_ids: string }>(
  (db, p, _given, dialect) =>
    keepLast(
      db,
      sql<SqlBool>`webhook_id = ${p.webhook_id} and state <> 'pending'
      and ${dialect.inJsonArray('event_id', p.event_ids, 'number')}`,
    ),
);

export async function insertAttempts(tx: Transaction, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.runMany(insert, rows);
  for (const { delivery_id, number } of rows) {
    const old = number - KEPT_PER_DELIVERY;
    if (old > 0) await tx.run(removeUpTo, { delivery_id, number: old });
  }
}
