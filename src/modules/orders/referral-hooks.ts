import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Fraction } from '../../shared/money.ts';
import type { ReferralRow } from './order-store.ts';

/** Who changes an order, and when. */
export interface ChangeContext {
  readonly actorId: number;
  readonly nowMs: number;
}

/** A referral before and after it was settled. */
export interface ReferralChange {
  readonly before: ReferralRow | undefined;
  readonly after: ReferralRow;
  /** The amount that the percentages apply to, in minor units; undefined where it did not change. */
  readonly base: Fraction | undefined;
}

/** Which referrals a transaction may settle. */
export interface ReferralScope {
  /** The orders that have referrals already. */
  readonly orderIds: ReadonlySet<number>;
  /** The affiliates who may get new ones. */
  readonly affiliateIds: ReadonlySet<number>;
}

/**
 * Runs for one referral after the other, for the same one as often as it is settled. What it changes it adds to
 * the transaction: ledger lines, events, rows of its own.
 */
export type ReferralHook = (change: ReferralChange, context: ChangeContext) => void;

/** Reads what the hook needs, once for all referrals that the transaction settles. */
export type PrepareReferralHook = (
  tx: Transaction,
  site: Site,
  scope: ReferralScope,
) => Promise<ReferralHook>;

export const referralHooks = new Point<PrepareReferralHook>('orders.referral-hooks');
