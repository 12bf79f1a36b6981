import type { Generated } from 'kysely';
import type { TableDefinition } from '../../db/tables.ts';
import type { RateColumns } from '../groups/index.ts';

export const couponStatuses = ['active', 'disabled'] as const;
export type CouponStatus = (typeof couponStatuses)[number];

/** Balance per pool in minor units: projections of the ledger. */
export interface BalanceColumns {
  unpaid: Generated<number>;
  awaiting: Generated<number>;
  pending_payout: Generated<number>;
  paid: Generated<number>;
}

/** Sums over orders in minor units, updated with every order. */
export interface FigureColumns {
  orders_count: Generated<number>;
  total_sales: Generated<number>;
  total_discount: Generated<number>;
  total_shipping: Generated<number>;
  /** From the coupon's own referrals. */
  total_commission: Generated<number>;
  /** Shares of the referrals of affiliates below in the hierarchy. */
  upline_commission: Generated<number>;
}

/** Number of orders per status, whether or not statistics count that status. */
export interface StatusColumns {
  n_pending: Generated<number>;
  n_processing: Generated<number>;
  n_on_hold: Generated<number>;
  n_completed: Generated<number>;
  n_cancelled: Generated<number>;
  n_refunded: Generated<number>;
  n_failed: Generated<number>;
}

export interface CouponsTable extends RateColumns, BalanceColumns, FigureColumns, StatusColumns {
  id: Generated<number>;
  code: string;
  code_folded: string;
  user_id: number | null;
  status: CouponStatus;
  created_at: number;
  refreshed_at: number | null;
  /** Incremented with every change of its orders or figures: in-memory caches are keyed by it. */
  figures_version: Generated<number>;
  /** 1 while the roster has not added its figures since they changed. */
  roster_due: Generated<number>;
  /** The affiliate whose entry in the roster includes it. */
  roster_user_id: Generated<number | null>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    coupons: CouponsTable;
  }
}

export const tables: readonly TableDefinition[] = [{ name: 'coupons', key: ['id'] }];
