import type { Transaction } from '../../../src/db/database.ts';
import { readAll, write } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import { FeedCursor } from '../../../src/modules/events/index.ts';
import type { WebhookRow } from '../webhook/webhook-rows.ts';
import { keepLastAttempts } from './attempt-rows.ts';
import { queuedAgain, type DeliveryRow } from './delivery-rows.ts';

/** Events up to it have their deliveries. It begins with the first webhook, which receives no earlier events. */
export const fanOutCursor = new FeedCursor('webhooks');

export type Subscriber = Pick<WebhookRow, 'id' | 'events' | 'from_event' | 'status'>;

export const listSubscribers = readAll<object, Subscriber>((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'events', 'from_event', 'status'])
    .where('status', '!=', 'deleted')
    .orderBy('id'),
);

export interface QueuedEvent {
  readonly id: number;
  readonly event: string;
}

/** An event for a webhook. */
interface NewDelivery {
  readonly webhookId: number;
  readonly event: QueuedEvent;
}

type NewRow = Pick<
  DeliveryRow,
  'webhook_id' | 'event_id' | 'event' | 'state' | 'due_at' | 'queued_at'
>;

const insert = insertRows<NewRow>('webhook_deliveries', { on: ['webhook_id', 'event_id'] });

/** Restarts finished deliveries. Pending ones continue as they are. */
const requeue = query<{ webhook_id: number; event_ids: string; now: number }>(
  (db, p, _given, dialect) =>
    queuedAgain(db, p.now)
      .where('webhook_id', '=', p.webhook_id)
      .where(dialect.inJsonArray('event_id', p.event_ids, 'number'))
      .where('state', '!=', 'pending'),
);

export type Replay = Pick<WebhookRow, 'id' | 'events'> & {
  replay_after: number;
  replay_until: number;
};

export const listReplays = readAll<object, Replay>((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'events', 'replay_after', 'replay_until'])
    .where('status', '=', 'active')
    .where('replay_after', 'is not', null)
    .$narrowType<{ replay_after: number; replay_until: number }>(),
);

export const setReplay = write<{ id: number; after: number | null; until: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ replay_after: p.after, replay_until: p.until })
    .where('id', '=', p.id),
);

/** Queues events that are not queued yet. */
export async function enqueueDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  const rows = deliveries.map(({ webhookId, event: { id, event } }) => ({
    webhook_id: webhookId,
    event_id: id,
    event,
    state: 'pending' as const,
    due_at: now,
    queued_at: now,
  }));
  await tx.runMany(insert, rows);
}

/** Queues events again, including delivered, failed and never queued ones. */
export async function enqueueAgain(
  tx: Transaction,
  webhookId: number,
  events: readonly QueuedEvent[],
  now: number,
): Promise<void> {
  if (events.length === 0) return;
  const event_ids = JSON.stringify(events.map(({ id }) => id));
  await keepLastAttempts(tx, { webhook_id: webhookId, event_ids });
  await tx.run(requeue, { webhook_id: webhookId, event_ids, now });
  const deliveries = events.map((event) => ({ webhookId, event }));
  await enqueueDeliveries(tx, deliveries, now);
}
