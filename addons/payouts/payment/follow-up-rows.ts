import { sql, type SqlBool } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readAll, write } from '../../../src/db/statements/calls.ts';
import { claimRows } from '../../../src/db/statements/claim-rows.ts';
import { query } from '../../../src/db/statements/query.ts';
import { only } from '../../../src/db/statements/row-query.ts';
import { storeFailures } from '../extension.ts';
import { findPayout, selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

/** Payouts that are due for a question to their gateway and that no process has leased. */
export const listDue = readAll<{ now: number; limit: number }, PayoutRow>((db, p) =>
  selectPayouts(db)
    .where('payouts.ask_at', '<=', p.now)
    .where('payouts.leased_until', '<', p.now)
    .orderBy('payouts.ask_at')
    .limit(p.limit),
);

const lease = claimRows<{ id: number }, { status: PayoutStatus }>('payouts', {
  column: 'leased_until',
  isFree: (p) => sql<SqlBool>`status = ${p.status} and leased_until < ${p.now}`,
  returning: 'id',
});

interface OwnLease {
  id: number;
  /** The value of `leased_until` that this process wrote: any other value is another process's lease. */
  held: number;
}

const recordAttempt = query<OwnLease & { until: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set((eb) => ({ leased_until: p.until, pay_attempts: eb('pay_attempts', '+', 1) }))
    .where('id', '=', p.id)
    .where('status', '=', 'processing')
    .where('leased_until', '=', p.held),
);

const postponed = [
  'transaction_id',
  'asks',
  'ask_at',
  'unclear_since',
  'unclear_reason',
  'reported_at',
  'failure_code',
  'failure_message',
  'pay_attempts',
  'nonce',
  'begun_at',
] as const;

const postpone = query<OwnLease & Pick<PayoutRow, (typeof postponed)[number]>>((db, p) =>
  db
    .updateTable('payouts')
    .set({ ...only(p, postponed), leased_until: 0 })
    .where('id', '=', p.id)
    .where('leased_until', '=', p.held),
);

/** The leased payout; undefined if another process was faster. */
export async function leasePayout(
  tx: Transaction,
  { id, status }: PayoutRow,
  nowMs: number,
  untilMs: number,
): Promise<PayoutRow | undefined> {
  const wanted = { ids: JSON.stringify([id]), status, now: nowMs, until: untilMs };
  return (await tx.first(lease, wanted)) && findPayout(tx, id);
}

/** Counts an attempt to pay and renews the lease; undefined if this process has lost it. */
export async function beginAttempt(
  tx: Transaction,
  payout: PayoutRow,
  untilMs: number,
): Promise<PayoutRow | undefined> {
  const { id, leased_until: held, pay_attempts } = payout;
  const counted = (await tx.run(recordAttempt, { id, held, until: untilMs })) > 0;
  return counted ? { ...payout, pay_attempts: pay_attempts + 1, leased_until: untilMs } : undefined;
}

/** Releases the lease. False, without a write, if another process has leased the payout since. */
export async function postponeAsking(
  tx: Transaction,
  payout: PayoutRow,
  held: number,
): Promise<boolean> {
  return (await tx.run(postpone, { ...payout, held })) > 0;
}

/** Makes payouts due that failed for a reason on the store's side: new credentials may help. */
export const makeRetriesDue = write<{ now: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set({ ask_at: p.now })
    .where('unclear_since', 'is not', null)
    .where('status', '=', 'processing')
    .where('failure_code', 'in', [...storeFailures])
    .where('ask_at', '>', p.now),
);
