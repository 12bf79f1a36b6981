import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../src/db/statements/in-batches.ts';
import { instant } from '../../src/db/statements/instants.ts';
import { query, type Query } from '../../src/db/statements/query.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { HOUR_MS, DAY_MS } from '../../src/shared/durations.ts';
import { APPROVAL_MS } from './approval/request-approval.ts';
import { OVERLAP_HOURS_MAX } from './connections/connection-input.ts';
import { RETRY_MS_MAX } from './deliveries/retry-delay.ts';
import { RECONCILE_EVERY_MS } from './sync/run-sync.ts';

const shortenDeliveries = updateInBatches<{ now: number; latest: number }>(
  'store_deliveries',
  'id',
  (p) => ({ set: sql`due_at = ${p.now}`, where: sql<SqlBool>`due_at > ${p.latest}` }),
);

const receiveNow = updateInBatches<{ now: number }>('store_deliveries', 'id', (p) => ({
  set: sql`received_at = ${p.now}`,
  where: sql<SqlBool>`received_at > ${p.now}`,
}));

const shortenCoupons = query<{ now: number; latest: number }>((db, p) =>
  db.updateTable('store_coupons').set({ due_at: p.now }).where('due_at', '>', p.latest),
);

/** A request would be valid for longer than its ten minutes. */
const shortenApprovals = query<{ now: number; latest: number; expiry: number }>((db, p) =>
  db
    .updateTable('store_approvals')
    .set({
      created_at: earliest('created_at', p.now),
      expires_at: earliest('expires_at', p.expiry),
      due_at: sql<number>`case when due_at > ${instant(p.latest)} then ${instant(p.now)} else due_at end`,
    })
    .where((eb) => eb.or([eb('expires_at', '>', p.expiry), eb('due_at', '>', p.latest)])),
);

const shortenRereads = query<{ now: number; latest: number }>((db, p) =>
  db.updateTable('store_orders').set({ reread_at: p.now }).where('reread_at', '>', p.latest),
);

/** An order that was seen in the future would refuse other versions of the same second until then. */
const observeNow = updateInBatches<{ now: number }>('store_orders', 'order_id', (p) => ({
  set: sql`observed_at = ${p.now}`,
  where: sql<SqlBool>`observed_at > ${p.now}`,
}));

/** The day after which the store is asked about an order again would begin in the future. */
const notShownNow = query<{ now: number }>((db, p) =>
  db.updateTable('store_orders').set({ unseen_at: p.now }).where('unseen_at', '>', p.now),
);

/** A run that began in the future would leave out what changes until then. */
const correctSyncs = query<{ now: number; latest: number }>((db, p) =>
  db
    .updateTable('store_syncs')
    .set({
      since_at: earliest('since_at', p.now),
      begun_at: earliest('begun_at', p.now),
      finished_at: earliest('finished_at', p.now),
      due_at: sql<number>`case when due_at > ${instant(p.latest)} then ${instant(p.now)} else due_at end`,
    })
    .where((eb) =>
      eb.or([
        eb('since_at', '>', p.now),
        eb('begun_at', '>', p.now),
        eb('finished_at', '>', p.now),
        eb('due_at', '>', p.latest),
      ]),
    ),
);

const correctConnections = query<{ now: number; overlap: number }>((db, p) =>
  db
    .updateTable('store_connections')
    .set({
      failing_since: earliest('failing_since', p.now),
      reported_since: earliest('reported_since', p.now),
      last_delivery_at: earliest('last_delivery_at', p.now),
      last_order_at: earliest('last_order_at', p.now),
      rejected_at: earliest('rejected_at', p.now),
      previous_until: earliest('previous_until', p.overlap),
    })
    .where((eb) =>
      eb.or([
        eb('failing_since', '>', p.now),
        eb('reported_since', '>', p.now),
        eb('last_delivery_at', '>', p.now),
        eb('last_order_at', '>', p.now),
        eb('rejected_at', '>', p.now),
        eb('previous_until', '>', p.overlap),
      ]),
    ),
);

function earliest(column: string, now: number) {
  return sql<number>`case when ${sql.ref(column)} > ${instant(now)} then ${instant(now)} else ${sql.ref(column)} end`;
}

/**
 * After the system clock was set back, shortens waits to their rules, and moves past times out of the future. Each
 * statement has its own transaction: storing a page of orders locks the same tables in another order.
 */
export async function correctStoreWaits({ database }: Site, now: number): Promise<void> {
  const correct = <P extends object>(statement: Query<P, never>, params: P) =>
    database.transaction((tx) => tx.run(statement, params));
  await shortenDeliveries(database, { now, latest: now + RETRY_MS_MAX });
  await receiveNow(database, { now });
  await observeNow(database, { now });
  await correct(shortenCoupons, { now, latest: now + RETRY_MS_MAX });
  const expiry = now + APPROVAL_MS;
  await correct(shortenApprovals, { now, latest: now + RETRY_MS_MAX, expiry });
  await correct(shortenRereads, { now, latest: now + DAY_MS });
  await correct(notShownNow, { now });
  await correct(correctSyncs, { now, latest: now + Math.max(RETRY_MS_MAX, RECONCILE_EVERY_MS) });
  await correct(correctConnections, { now, overlap: now + OVERLAP_HOURS_MAX * HOUR_MS });
}
