import type { Generated } from 'kysely';
import type { columnGroups, figureColumns } from '../../db/statements/columns.ts';
import type { RateColumns } from '../groups/index.ts';

export const couponStatuses = ['active', 'disabled'] as const;
export type CouponStatus = (typeof couponStatuses)[number];

/** The balances of an account in minor units: projections of the ledger. A coupon has those of today's affiliate. */
export type BalanceColumns = Record<(typeof columnGroups.balances)[number], Generated<number>>;

/**
 * Sums over orders in minor units, updated with every order. The upline commission are shares of the referrals of
 * affiliates below in the hierarchy; all others are from the coupon's own referrals.
 */
export type FigureColumns = Record<(typeof figureColumns)[number], Generated<number>>;

/** Number of orders per status, whether or not statistics count that status. */
export type StatusColumns = Record<(typeof columnGroups.statuses)[number], Generated<number>>;

export interface CouponsTable extends RateColumns, BalanceColumns, FigureColumns, StatusColumns {
  id: Generated<number>;
  code: string;
  code_folded: string;
  user_id: number | null;
  status: CouponStatus;
  /** JSON object: what customers get off with its code; null for none of its own. */
  discount: string | null;
  created_at: number;
  refreshed_at: number | null;
  /** Incremented with every change of its orders or figures: in-memory caches are keyed by it. */
  figures_version: Generated<number>;
  /** Since when its affiliate has it, in ms; null for the first owner, 0 if that is unknown. */
  owned_since: Generated<number | null>;
  /** 1 while the roster has not added its figures since they changed. */
  roster_due: Generated<number>;
  /** The affiliate whose entry in the roster includes it. */
  roster_user_id: Generated<number | null>;
}

/**
 * The affiliates of a coupon with their times, which are instants in ms: the rows of a coupon cover all time without gaps, so a period without an
 * affiliate is a row too. Two changes within a second leave a row without duration.
 */
export interface CouponOwnersTable {
  id: Generated<number>;
  coupon_id: number;
  user_id: number | null;
  /** 0 for the first owner, who counts as owner from the beginning. */
  since: number;
  /** The first instant of the next owner; null for the owner of today. */
  until: number | null;
}

/** What an affiliate, or 0 for none, still has on a coupon that is another one's now. */
export interface FormerAccountsTable extends BalanceColumns {
  coupon_id: number;
  user_id: number;
}

/** What of the clicks of a coupon is of affiliates who had it before; those of no affiliate with 0. */
export interface FormerClicksTable {
  coupon_id: number;
  user_id: number;
  kind: 'campaign' | 'creative' | 'sub1';
  day: string;
  name: string;
  clicks: number;
  conversions: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    coupons: CouponsTable;
    coupon_owners: CouponOwnersTable;
    former_accounts: FormerAccountsTable;
    former_clicks: FormerClicksTable;
  }
}
