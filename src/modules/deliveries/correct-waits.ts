import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Transaction } from '../../db/database.ts';
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

const latest = (now: number) =>
  sql`${instant(now)} + ${waitAfter(sql`attempts - attempts_before`, LATEST_MS)}`;

/** After the system clock was set back, shortens waits, pauses and retention to their rules. */
export function correctWaits<R extends Receiver, D extends DueDelivery, T>(
  use: DeliveryUse<R, D, T>,
): (site: Site, now: number) => Promise<void> {
  const { receivers, deliveries, receiverId } = use.tables;
  const { find, save } = receiverStatements<R>(use.tables);
  /** Unless the receiver is paused for longer: with `Retry-After` it may have asked for that. */
  const isTooLate = (
    now: number,
    receiver: RawBuilder<unknown>,
    pausedUntil: RawBuilder<unknown>,
  ) =>
    sql<SqlBool>`${sql.ref(receiverId)} = ${receiver} and due_at > ${now}
      and due_at > ${pausedUntil} and due_at > ${latest(now)}`;
  /** Those with a time too far ahead, of their own or of a delivery: nearly always none. */
  const concerned = query<{ now: number }, { id: number }>((db, p) => {
    const ofDelivery = isTooLate(p.now, sql.ref('receiver.id'), sql.ref('receiver.paused_until'));
    const statement = sql<{ id: number }>`with recursive ${waitingReceivers(use.tables)}
      select id from ${sql.table(receivers)}
        where last_delivery_at > ${p.now} or failing_since > ${p.now}
          or paused_until > ${instant(p.now)} + ${sql.lit(RETRY_AFTER_MS_MAX)}
      union select ${sql.ref(receiverId)} from ${sql.table(deliveries)} where queued_at > ${p.now}
      union select receiver.id from waiting cross join ${sql.table(receivers)} as receiver
        where receiver.id = waiting.id
          and exists (select 1 from ${sql.table(deliveries)} where ${ofDelivery})`;
    return { compile: () => statement.compile(db) };
  });
  const shorten = updateInBatches<{ now: number; receiver: number; paused_until: number }>(
    deliveries,
    'id',
    (p) => ({
      set: sql`due_at = ${latest(p.now)}`,
      where: isTooLate(p.now, sql`${p.receiver}`, sql`${p.paused_until}`),
    }),
  );
  /** The sign keeps it on the index of times: the receiver may have millions of deliveries. */
  const queueNow = updateInBatches<{ now: number; receiver: number }>(deliveries, 'id', (p) => ({
    set: sql`queued_at = ${p.now}`,
    where: sql<SqlBool>`+${sql.ref(receiverId)} = ${p.receiver} and queued_at > ${p.now}`,
  }));

  return async ({ database }, now) => {
    for (const { id } of await database.read.all(concerned, { now })) {
      const lock = (tx: Transaction) => lockReceiver(tx, use, id);
      const receiver = await database.transaction(async (tx) => {
        await lock(tx);
        const found = await find(tx, id);
        if (!found) return undefined;
        const corrected = correctedPause(found, now);
        await save(tx, [corrected]);
        return corrected;
      });
      const paused_until = receiver?.paused_until ?? 0;
      await shorten(database, { now, receiver: id, paused_until }, lock);
      await queueNow(database, { now, receiver: id }, lock);
    }
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
