import type { Kysely } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { RowOf, Tables } from '../../../src/db/tables.ts';
import type { DueDelivery } from '../../../src/modules/deliveries/index.ts';
import { keepLastAttempt } from './attempt-rows.ts';

export type DeliveryRow = RowOf<'webhook_deliveries'>;

/** A delivery with the event it carries. */
export interface DueEvent extends DueDelivery {
  event_id: number;
  event: string;
  data: string;
  occurred_at: number;
}

export const due = query<{ receiver: number; now: number; limit: number }, DueEvent>((db, p) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events', 'events.id', 'd.event_id')
    .select(['d.id', 'webhook_id as receiver', 'event_id', 'd.event', 'attempts'])
    .select(['attempts_before', 'data', 'events.created_at as occurred_at'])
    .where('webhook_id', '=', p.receiver)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(p.limit),
);

/** Restarts deliveries: due now, with all attempts of the retry schedule. */
export function queuedAgain(db: Kysely<Tables>, now: number) {
  return db.updateTable('webhook_deliveries').set((eb) => ({
    state: 'pending',
    due_at: now,
    queued_at: now,
    attempts_before: eb.ref('attempts'),
  }));
}

const again = query<{ id: number; webhook_id: number; now: number }, DeliveryRow>((db, p) =>
  queuedAgain(db, p.now)
    .where('id', '=', p.id)
    .where('webhook_id', '=', p.webhook_id)
    .returningAll(),
);

/** Makes a delivery due now in any state; undefined if the webhook has no such delivery. */
export async function queueAgain(
  tx: Transaction,
  webhookId: number,
  id: number,
  now: number,
): Promise<DeliveryRow | undefined> {
  await keepLastAttempt(tx, { webhook_id: webhookId, id });
  return tx.first(again, { id, webhook_id: webhookId, now });
}
