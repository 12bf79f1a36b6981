import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';

/** The payout that took what an entry had added to the unpaid balance. */
interface TakingPayout {
  readonly id: number;
  /** Whether the money has left, or may have: it is paid, at a gateway or in a file for a bank. */
  readonly isSent: boolean;
}

/** Finds the payout of an order's commission: not one that was cancelled or has failed. */
export type PayoutOfEntry = (
  db: Reader,
  commission: { readonly coupon_id: number; readonly order_id: number },
) => Promise<TakingPayout | undefined>;

export const payoutsOfEntries = new Point<PayoutOfEntry>('ledger.payouts-of-entries');

/** By the id of a payout, why it must not be paid now. */
export type ObjectToPayouts = (
  db: Reader,
  payoutIds: readonly number[],
) => Promise<ReadonlyMap<number, string>>;

export const payoutObjections = new Point<ObjectToPayouts>('ledger.payout-objections');
