import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import { selectPayouts, type PayoutRow } from './payout-store.ts';

const due = query<{ now: number; limit: number }, PayoutRow>((db, p) =>
  selectPayouts(db)
    .where('payouts.ask_at', '<=', p.now)
    .where('payouts.leased_until', '<', p.now)
    .orderBy('payouts.ask_at')
    .limit(p.limit),
);

/** Only while nobody else has it: the condition that was seen is repeated. */
const lease = query<{ id: number; status: string; now: number; until: number }>((db, p) =>
  db
    .updateTable('payouts')
    .set({ leased_until: p.until })
    .where('id', '=', p.id)
    .where('status', '=', p.status)
    .where('leased_until', '<', p.now),
);

const postpone = query<{ id: number; transaction_id: string; asks: number; ask_at: number | null }>(
  (db, p) =>
    db
      .updateTable('payouts')
      .set({
        transaction_id: p.transaction_id,
        asks: p.asks,
        ask_at: p.ask_at as number,
        leased_until: 0,
      })
      .where('id', '=', p.id),
);

/** Payouts whose gateway is to be asked, and nobody is asking. */
export function listDue(db: Reader, nowMs: number, limit: number): Promise<PayoutRow[]> {
  return db.all(due, { now: nowMs, limit });
}

/** False when somebody else was faster. */
export async function leasePayout(
  tx: Transaction,
  payout: PayoutRow,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  const { id, status } = payout;
  return (await tx.run(lease, { id, status, now: nowMs, until: untilMs })) > 0;
}

export async function postponeAsking(
  tx: Transaction,
  { id, transaction_id, asks, ask_at }: PayoutRow,
): Promise<void> {
  await tx.run(postpone, { id, transaction_id, asks, ask_at });
}
