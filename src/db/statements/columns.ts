import type { Generated } from 'kysely';
import { integer, type Column } from '../define-table.ts';

const FIGURES = [
  'orders_count',
  'total_sales',
  'total_discount',
  'total_shipping',
  'total_commission',
] as const;
const STATUSES = [
  'n_pending',
  'n_processing',
  'n_on_hold',
  'n_completed',
  'n_cancelled',
  'n_refunded',
  'n_failed',
] as const;
const COUNTERS = [
  'earning_orders',
  'earning_sales',
  'new_customers',
  'granted_orders',
  'granted_sales',
  'granted_commission',
  'granted_customers',
] as const;
const BALANCES = ['unpaid', 'awaiting', 'pending_payout', 'paid'] as const;

/** Groups of columns that several tables have: integers with the default 0. */
export const columnGroups = {
  figures: FIGURES,
  statuses: STATUSES,
  counters: COUNTERS,
  balances: BALANCES,
};

/** The figures of those tables after all migrations. */
export const figureColumns = [...FIGURES, 'upline_commission'] as const;

/** The sums of a day of a coupon. */
export const dayColumns = [...figureColumns, ...STATUSES, ...COUNTERS] as const;

/** The columns of some groups: sums in minor units and counts, updated with every order or posting. */
export function counters<G extends keyof typeof columnGroups>(...groups: readonly G[]) {
  const names = groups.flatMap((group) => columnGroups[group]);
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(names.map((name) => [name, integer().default(0)])) as Record<
    (typeof columnGroups)[G][number],
    Column<Generated<number>>
  >;
}
