import { sql } from 'kysely';
import { readByNumbers } from '../../db/statements/calls.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { daysOfAccounts } from './former-days.ts';

export interface AccountOrder {
  user_id: number;
  coupon_id: number;
  order_id: number;
  placed_at: number;
  state: 'awaiting' | 'granted' | 'void';
  sales: number;
  commission: number;
}

/**
 * Reads an order of each account of affiliates that has any. Of a coupon that has never changed hands it is at an end of
 * the index. Else the day is known from the days of the account, so that the orders of others are not read.
 */
function ordersAt(end: 'first' | 'last') {
  const edge = sql.raw(end === 'first' ? 'min' : 'max');
  const direction = sql.raw(end === 'first' ? 'asc' : 'desc');
  const { statuses } = columnGroups;
  const ofAnyStatus = sql.join(
    statuses.map((name) => sql.ref(name)),
    sql` + `,
  );
  return readByNumbers<AccountOrder>((db, isKey) => {
    const days = daysOfAccounts(statuses, sql`coupons.owned_since is not null`, isKey);
    const statement = sql<AccountOrder>`
      select account.user_id, referrals.coupon_id, referrals.order_id, referrals.placed_at, referrals.state,
        referrals.sales, referrals.commission
      from (
        select user_id, id as coupon_id, (select order_id from referrals
          where referrals.coupon_id = coupons.id and dropped = 0
          order by day ${direction}, placed_at ${direction}, order_id ${direction} limit 1) as order_id
        from coupons where ${isKey('user_id')} and owned_since is null
        union all
        select user_id, coupon_id, (select order_id from referrals
          where referrals.coupon_id = held.coupon_id and referrals.day = held.day
            and referrals.user_id = held.user_id and dropped = 0
          order by placed_at ${direction}, order_id ${direction} limit 1) as order_id
        from (
          select user_id, coupon_id, ${edge}(day) as day
          from (
            select user_id, coupon_id, day from ${days} as days
            group by user_id, coupon_id, day having sum(${ofAnyStatus}) > 0
          ) as counted
          group by user_id, coupon_id
        ) as held
      ) as account
      cross join referrals
      where referrals.order_id = account.order_id and referrals.coupon_id = account.coupon_id`;
    return { compile: () => statement.compile(db) };
  });
}

/** The first order of each account of affiliates, former coupons included. */
export const firstOrdersOf = ordersAt('first');
/** The last one. */
export const lastOrdersOf = ordersAt('last');
