import { sql, type RawBuilder } from 'kysely';
import { columnGroups, type figureColumns } from '../../../db/statements/columns.ts';
import type { ReferralRow } from '../order-rows.ts';
import type { CounterColumn } from '../tables.ts';
import { isGranted } from './referral-terms.ts';

type Counters = Record<CounterColumn, number>;

const NO_COUNTERS: Counters = {
  earning_orders: 0,
  earning_sales: 0,
  new_customers: 0,
  granted_orders: 0,
  granted_sales: 0,
  granted_commission: 0,
  granted_customers: 0,
};

/** What a referral adds to the days of its affiliate for steps and bonuses: nothing if it cannot earn, as an own order. */
export function countersOf(referral: ReferralRow): Counters {
  const { counted, state, sales, commission, new_customer } = referral;
  if (counted === 0 || state === 'void') return NO_COUNTERS;
  const granted = isGranted(referral) ? 1 : 0;
  return {
    earning_orders: 1,
    earning_sales: sales,
    new_customers: new_customer,
    granted_orders: granted,
    granted_sales: granted * sales,
    granted_commission: granted * commission,
    granted_customers: granted * new_customer,
  };
}

const isEarning = sql<number>`case when counted = 1 and state <> 'void' then 1 else 0 end`;
const isPayable = sql<number>`case when counted = 1 and (state = 'granted' or release_at is not null) then 1 else 0 end`;

/** The same in SQL, for statements that add up referrals. */
const counterExpressions: Record<CounterColumn, RawBuilder<number>> = {
  earning_orders: isEarning,
  earning_sales: sql`${isEarning} * sales`,
  new_customers: sql`${isEarning} * new_customer`,
  granted_orders: isPayable,
  granted_sales: sql`${isPayable} * sales`,
  granted_commission: sql`${isPayable} * commission`,
  granted_customers: sql`${isPayable} * new_customer`,
};

/** What a referral adds to the figures of its day, shares of the upline left out. */
export const dayExpressions: Record<
  | Exclude<(typeof figureColumns)[number], 'upline_commission'>
  | (typeof columnGroups.statuses)[number]
  | CounterColumn,
  RawBuilder<number>
> = {
  orders_count: sql`counted`,
  total_sales: sql`counted * sales`,
  total_discount: sql`counted * discount`,
  total_shipping: sql`counted * shipping`,
  total_commission: sql`counted * commission`,
  ...statusExpressions(),
  ...counterExpressions,
};

function statusExpressions() {
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(
    columnGroups.statuses.map((name) => [
      name,
      sql`case when status = ${sql.lit(statusOf(name))} then 1 else 0 end`,
    ]),
  ) as Record<(typeof columnGroups.statuses)[number], RawBuilder<number>>;
}

/** `n_on_hold` is the column of `on-hold`. */
export function statusOf(column: string): string {
  return column.slice(2).replace('_', '-');
}
