import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { claimRows } from '../../../db/statements/claim-rows.ts';
import { query } from '../../../db/statements/query.ts';
import { updateRows } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { WebhookDeliveriesTable } from '../tables.ts';
import { keepLastAttempt } from './attempt-rows.ts';

export type DeliveryRow = Selectable<WebhookDeliveriesTable>;

/** Webhooks that are active, not paused, and have due deliveries. */
const ready = query<{ now: number }, { id: number }>((db, p) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('status', '=', 'active')
    .where('paused_until', '<=', p.now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where('due_at', '<=', p.now),
      ),
    ),
);

/** A delivery with the event it carries. */
export type DueDelivery = Pick<
  DeliveryRow,
  'id' | 'webhook_id' | 'event_id' | 'event' | 'attempts' | 'attempts_before'
> & { data: string; occurred_at: number };

const due = query<{ webhook_id: number; now: number; limit: number }, DueDelivery>((db, p) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events', 'events.id', 'd.event_id')
    .select(['d.id', 'webhook_id', 'event_id', 'd.event', 'attempts', 'attempts_before', 'data'])
    .select('events.created_at as occurred_at')
    .where('webhook_id', '=', p.webhook_id)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(p.limit),
);

const lease = claimRows<{ id: number }>('webhook_deliveries', {
  column: 'due_at',
  isFree: (p) => sql<SqlBool>`due_at <= ${p.now}`,
  returning: 'id',
});

/** Ends the leases, unless an attempt has been recorded in the meantime. */
const release = query<{ ids: string; now: number; until: number }>((db, p, _given, dialect) =>
  db
    .updateTable('webhook_deliveries')
    .set({ due_at: p.now })
    .where(dialect.inJsonArray('id', p.ids, 'number'))
    .where('due_at', '=', p.until),
);

/** `attempts` includes this one. */
export type Attempt = Pick<
  DeliveryRow,
  'id' | 'attempts' | 'state' | 'due_at' | 'code' | 'error' | 'attempted_at' | 'duration_ms'
>;

/** If two instances sent the same delivery, the first record counts: `attempts` has moved on for the other. */
const record = updateRows<Attempt>('webhook_deliveries', {
  key: ['id'],
  raise: 'attempts',
  set: ['state', 'due_at', 'code', 'error', 'attempted_at', 'duration_ms'],
  add: [],
});

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

export async function listReadyWebhooks(db: Reader, now: number): Promise<number[]> {
  return (await db.all(ready, { now })).map(({ id }) => id);
}

/** Leases deliveries that are due. No other instance sends them until the lease ends. */
export async function claimDeliveries(
  tx: Transaction,
  webhookId: number,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<DueDelivery[]> {
  const chosen = await tx.all(due, { webhook_id: webhookId, now, limit });
  if (chosen.length === 0) return chosen;
  const ids = JSON.stringify(chosen.map(({ id }) => id));
  const mine = new Set((await tx.all(lease, { ids, now, until })).map(({ id }) => id));
  return chosen.filter(({ id }) => mine.has(id));
}

export async function releaseDeliveries(
  tx: Transaction,
  ids: readonly number[],
  leased: { now: number; until: number },
): Promise<void> {
  await tx.run(release, { ids: JSON.stringify(ids), ...leased });
}

/** Returns for each attempt whether it was recorded. */
export function recordAttempts(tx: Transaction, attempts: readonly Attempt[]): Promise<boolean[]> {
  return tx.updateMany(record, attempts);
}

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
