import { sql, type CreateTableBuilder } from 'kysely';
import type { Dialect } from '../dialect.ts';

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

/** Groups of columns with which migrations create several tables: integers with the default 0. */
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

export function addCounters<T extends string>(
  table: CreateTableBuilder<T, any>,
  { bigInteger }: Dialect,
  ...groups: (keyof typeof columnGroups)[]
): CreateTableBuilder<T, any> {
  return groups
    .flatMap((group) => columnGroups[group])
    .reduce(
      (built, name) => built.addColumn(name, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      table,
    );
}
