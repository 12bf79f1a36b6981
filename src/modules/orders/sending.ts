import type { KnownCoupons } from './attribution.ts';
import type { FigureChanges } from './figures.ts';

export type ReferralState = 'awaiting' | 'granted' | 'void';

/** Who sends the order, and when. */
export interface Sending {
  readonly actorId: number;
  readonly nowMs: number;
  /** Shared by the orders of one transaction. */
  readonly coupons?: KnownCoupons;
  /** Where given, whoever gives it writes it once all orders of the transaction are stored. */
  readonly figures?: FigureChanges;
}
