import type { Transaction } from '../../../db/database.ts';
import { readAll, write } from '../../../db/statements/calls.ts';
import { query } from '../../../db/statements/query.ts';
import { FeedCursor } from '../../../modules/events/index.ts';
import type { WebhookRow } from '../webhook/webhook-rows.ts';
import { keepLastAttempts } from './attempt-rows.ts';
import { queuedAgain } from './delivery-rows.ts';

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

interface NewDeliveries {
  webhook_id: number;
  /** A JSON array. */
  event_ids: string;
  now: number;
}

const enqueue = query<NewDeliveries>((db, p, _given, dialect) =>
  db
    .insertInto('webhook_deliveries')
    .columns(['webhook_id', 'event_id', 'event', 'state', 'due_at', 'queued_at'])
    .expression((eb) =>
      eb
        .selectFrom('events')
        .select([
          eb.val(p.webhook_id).as('webhook_id'),
          'id',
          'event',
          eb.val('pending').as('state'),
          eb.val(p.now).as('due_at'),
          eb.val(p.now).as('queued_at'),
        ])
        .where(dialect.inJsonArray('id', p.event_ids, 'number'))
        .orderBy('id'),
    )
    .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doNothing()),
);

/** Restarts finished deliveries. Pending ones continue as they are. */
const requeue = query<NewDeliveries>((db, p, _given, dialect) =>
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

export async function enqueueDeliveries(
  tx: Transaction,
  webhookId: number,
  eventIds: readonly number[],
  now: number,
): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.run(enqueue, { webhook_id: webhookId, event_ids: JSON.stringify(eventIds), now });
}

/** Queues events again, including delivered, failed and never queued ones. */
export async function enqueueAgain(
  tx: Transaction,
  webhookId: number,
  eventIds: readonly number[],
  now: number,
): Promise<void> {
  if (eventIds.length === 0) return;
  const event_ids = JSON.stringify(eventIds);
  await keepLastAttempts(tx, { webhook_id: webhookId, event_ids });
  await tx.run(requeue, { webhook_id: webhookId, event_ids, now });
  await tx.run(enqueue, { webhook_id: webhookId, event_ids, now });
}
