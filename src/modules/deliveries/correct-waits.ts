import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant, waitAfter } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Receiver } from './delivery-columns.ts';
import { LEASE_MS } from './delivery-queue.ts';
import { waitingReceivers } from './delivery-statements.ts';
import { lockReceiver, type DeliveryUse, type DueDelivery } from './delivery-use.ts';
import { receiverStatements } from './receiver-statements.ts';
import { RETRY_AFTER_MS_MAX, WAITS_MS_MAX } from './retry-schedule.ts';

/** For an attempted delivery, `due_at` is the end of a lease or of a retry delay. */
const LATEST_MS = WAITS_MS_MAX.map((ms, attempts) =>
  attempts === 0 ? ms : Math.max(ms, LEASE_MS),
);

/** After the system clock was set back, shortens waits, pauses and retention to their rules. */
export function correctWaits<R extends Receiver, D extends DueDelivery, T>(
  use: DeliveryUse<R, D, T>,
): (site: Site, now: number) => Promise<void> {
  const { receivers, deliveries, receiverId } = use.tables;
  const { find, save } = receiverStatements<R>(use.tables);
  /** Those with a time in the future, and those that have something to send. */
  const concerned = query<{ now: number }, { id: number }>((db, p) => {
    const statement = sql<{ id: number }>`with recursive ${waitingReceivers(use.tables)}
      select id from ${sql.table(receivers)}
        where paused_until > ${p.now} or last_delivery_at > ${p.now} or failing_since > ${p.now}
      union select id from waiting where id is not null`;
    return { compile: () => statement.compile(db) };
  });
  /** A wait requested with `Retry-After` may be longer; it pauses the receiver. */
  const shorten = updateInBatches<{ now: number; receiver: number; paused_until: number }>(
    deliveries,
    'id',
    (p) => {
      const wait = waitAfter(sql`attempts - attempts_before`, LATEST_MS);
      const latest = sql`${instant(p.now)} + ${wait}`;
      return {
        set: sql`due_at = ${latest}`,
        where: sql<SqlBool>`${sql.ref(receiverId)} = ${p.receiver} and due_at > ${p.now}
          and due_at > ${p.paused_until} and due_at > ${latest}`,
      };
    },
  );
  const queueNow = updateInBatches<{ now: number }>(deliveries, 'id', (p) => ({
    set: sql`queued_at = ${p.now}`,
    where: sql<SqlBool>`queued_at > ${p.now}`,
  }));

  return async ({ database }, now) => {
    for (const { id } of await database.read.all(concerned, { now })) {
      const receiver = await database.transaction(async (tx) => {
        await lockReceiver(tx, use, id);
        const found = await find(tx, id);
        if (!found) return undefined;
        const corrected = correctedPause(found, now);
        await save(tx, [corrected]);
        return corrected;
      });
      const pausedUntil = receiver?.paused_until ?? 0;
      await shorten(database, { now, receiver: id, paused_until: pausedUntil }, (tx) =>
        lockReceiver(tx, use, id),
      );
    }
    // Deliveries of all receivers, so it takes their locks in the order in which results are recorded.
    await queueNow(database, { now }, async (tx) => {
      const ids = (await tx.all(concerned, { now })).map(({ id }) => id);
      for (const id of ids.sort((a, b) => a - b)) await lockReceiver(tx, use, id);
    });
  };
}

/** A pause starts with an attempt. If that lies in the future, both are moved to now. */
function correctedPause<R extends Receiver>(receiver: R, now: number): R {
  const attemptedMs = receiver.last_delivery_at ?? 0;
  const aheadMs = Math.max(0, attemptedMs - now);
  const until = receiver.paused_until - aheadMs;
  return {
    ...receiver,
    last_delivery_at: receiver.last_delivery_at && Math.min(receiver.last_delivery_at, now),
    failing_since: receiver.failing_since && Math.min(receiver.failing_since, now),
    paused_until: until > now + RETRY_AFTER_MS_MAX ? now : Math.max(0, until),
  };
}
