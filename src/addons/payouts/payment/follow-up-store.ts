import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { storeFailures } from '../extension.ts';
import { findPayout, selectPayouts, type PayoutRow } from '../payout-store.ts';

const due = query<{ now: number; limit: number }, PayoutRow>((db, p) =>
  selectPayouts(db)
    .where('payouts.ask_at', '<=', p.now)
    .where('payouts.leased_until', '<', p.now)
    .orderBy('payouts.ask_at')
    .limit(p.limit),
);

/** Only while no other process has it: the condition that was seen is repeated. */
const lease = query<{ id: number; status: string; now: number; until: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set({ leased_until: p.until })
    .where('id', '=', p.id)
    .where('status', '=', p.status)
    .where('leased_until', '<', p.now),
);

interface Held {
  id: number;
  /** The lease as this process took it: another value is the lease of another process. */
  held: number;
}

const recordAttempt = query<Held & { until: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set((eb) => ({ leased_until: p.until, pay_attempts: eb('pay_attempts', '+', 1) }))
    .where('id', '=', p.id)
    .where('status', '=', 'processing')
    .where('leased_until', '=', p.held),
);

type Postponement = Held &
  Pick<
    PayoutRow,
    | 'transaction_id'
    | 'asks'
    | 'ask_at'
    | 'unclear_since'
    | 'unclear_reason'
    | 'reported_at'
    | 'failure_code'
    | 'failure_message'
    | 'pay_attempts'
    | 'nonce'
    | 'begun_at'
  >;

const postpone = query<Postponement>((db, p) =>
  db
    .updateTable('payouts')
    .set({
      transaction_id: p.transaction_id,
      asks: p.asks,
      ask_at: p.ask_at,
      unclear_since: p.unclear_since,
      unclear_reason: p.unclear_reason,
      reported_at: p.reported_at,
      failure_code: p.failure_code,
      failure_message: p.failure_message,
      pay_attempts: p.pay_attempts,
      nonce: p.nonce,
      begun_at: p.begun_at,
      leased_until: 0,
    })
    .where('id', '=', p.id)
    .where('leased_until', '=', p.held),
);

/** Payouts whose gateway is to be asked, and which no process has leased. */
export function listDue(db: Reader, nowMs: number, limit: number): Promise<PayoutRow[]> {
  return db.all(due, { now: nowMs, limit });
}

/** The payout as it is when leased; undefined when another process was faster. */
export async function leasePayout(
  tx: Transaction,
  { id, status }: PayoutRow,
  nowMs: number,
  untilMs: number,
): Promise<PayoutRow | undefined> {
  const leased = (await tx.run(lease, { id, status, now: nowMs, until: untilMs })) > 0;
  return leased ? findPayout(tx, id) : undefined;
}

/** Counts an attempt to pay and renews the lease; undefined when this process no longer has it. */
export async function beginAttempt(
  tx: Transaction,
  payout: PayoutRow,
  untilMs: number,
): Promise<PayoutRow | undefined> {
  const { id, leased_until: held, pay_attempts } = payout;
  const counted = (await tx.run(recordAttempt, { id, held, until: untilMs })) > 0;
  return counted ? { ...payout, pay_attempts: pay_attempts + 1, leased_until: untilMs } : undefined;
}

/** Gives the lease back; false, and nothing is written, when another process has the payout by now. */
export async function postponeAsking(
  tx: Transaction,
  payout: PayoutRow,
  held: number,
): Promise<boolean> {
  return (await tx.run(postpone, { ...payout, held })) > 0;
}

const retry = query<{ now: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set({ ask_at: p.now })
    .where('unclear_since', 'is not', null)
    .where('status', '=', 'processing')
    .where('failure_code', 'in', [...storeFailures])
    .where('ask_at', '>', p.now),
);

/** Makes payouts due that wait for the store: its credentials may be right by now. */
export async function retryWaiting(tx: Transaction, nowMs: number): Promise<void> {
  await tx.run(retry, { now: nowMs });
}
