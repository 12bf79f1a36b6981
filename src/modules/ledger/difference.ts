export const checked = ['unpaid', 'awaiting', 'pending_payout', 'paid'] as const;
export type Checked = (typeof checked)[number];

/** A stored balance, or the balance of a payout in the ledger, that differs from the recomputed one, in minor units. */
export interface Difference {
  coupon_id: number;
  affiliate_id: number | null;
  payout_id: number | null;
  pool: Checked;
  stored: number;
  recomputed: number;
  from: string;
}
