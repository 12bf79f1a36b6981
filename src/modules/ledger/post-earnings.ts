import type { Transaction } from '../../db/database.ts';
import { post, type Movement } from './ledger.ts';

/** What an order has brought a coupon so far. */
export interface Earnings {
  readonly awaiting: number;
  readonly granted: number;
}

/** Brings the ledger from what an order was worth to what it is worth now. */
export function postEarnings(
  tx: Transaction,
  before: Earnings | undefined,
  after: Earnings,
  entry: Omit<Movement, 'from' | 'to' | 'amount'>,
): void {
  const awaiting = after.awaiting - (before?.awaiting ?? 0);
  const granted = after.granted - (before?.granted ?? 0);
  // What waited and is granted now moves on; only the rest comes from the store.
  const moved = awaiting < 0 && granted > 0 ? Math.min(-awaiting, granted) : 0;
  post(tx, { ...entry, from: 'awaiting', to: 'unpaid', amount: moved });
  post(tx, { ...entry, from: 'earned', to: 'awaiting', amount: awaiting + moved });
  post(tx, { ...entry, from: 'earned', to: 'unpaid', amount: granted - moved });
}
