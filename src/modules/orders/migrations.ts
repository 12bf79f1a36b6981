import { sql } from 'kysely';
import { adding, creating } from '../../db/create-tables.ts';
import type { Transaction } from '../../db/database.ts';
import type { Migration } from '../../db/migrator.ts';
import { readFirst } from '../../db/statements/calls.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { tables } from './tables.ts';

export const migrations: Migration[] = [
  creating('orders/0001-baseline', tables, {
    after: (schema) => [
      schema.createIndex('referrals_by_release').on('referrals').column('release_at'),
    ],
  }),
  adding('orders/0002-after-0.7.0', tables, {
    // Nearly no commission is held, and an entry without a date costs each order its time.
    before: (schema) => [schema.dropIndex('referrals_by_release')],
    async fill(tx) {
      await decide(tx);
      await fillFormerDays(tx);
    },
  }),
];

const hasShares = readFirst<object, { name: string }>((db) =>
  db
    .selectFrom('migrations')
    .select('name')
    .where('name', 'like', sql.lit('multilevel/%'))
    .limit(1),
);

const earning = `case when counted = 1 and state <> 'void' then 1 else 0 end`;
const payable = `case when counted = 1 and (state = 'granted' or release_at is not null) then 1 else 0 end`;

/** What the referrals of a day add up to, by column. */
const sumsOfDay: Record<string, string> = {
  orders_count: 'counted',
  total_sales: 'counted * sales',
  total_discount: 'counted * discount',
  total_shipping: 'counted * shipping',
  total_commission: 'counted * commission',
  earning_orders: earning,
  earning_sales: `${earning} * sales`,
  new_customers: `${earning} * new_customer`,
  granted_orders: payable,
  granted_sales: `${payable} * sales`,
  granted_commission: `${payable} * commission`,
  granted_customers: `${payable} * new_customer`,
  ...Object.fromEntries(
    columnGroups.statuses.map((name) => [
      name,
      `case when status = '${name.slice(2).replace('_', '-')}' then 1 else 0 end`,
    ]),
  ),
};

/** Orders are decided when they first count. Those of 0.7.0 were decided when they came in. */
async function decide(tx: Transaction): Promise<void> {
  // Orders that never counted can still be decided.
  await tx.execute(
    `update orders set decided_at = created_at
       where status in ('processing', 'completed', 'refunded')
         or order_id in (select order_id from referrals
                         where counted = 1 or granted <> 0 or awaiting <> 0)`,
  );
  // In the index `orders_by_customer`.
  await tx.execute(
    `update lifetime_customers set
       credited_at =
         (select min(orders.placed_at) from orders
          join referrals on referrals.order_id = orders.order_id
            and referrals.coupon_id = lifetime_customers.coupon_id
          where substr(orders.customer_hash, 1, 8) = substr(lifetime_customers.customer_hash, 1, 8)
            and orders.customer_hash = lifetime_customers.customer_hash),
       user_id =
         coalesce((select user_id from coupons where coupons.id = lifetime_customers.coupon_id), 0)`,
  );
  await tx.execute(
    `update referrals set new_customer = 1
       where order_id in (
         select order_id from orders
         where customer_hash is not null and decided_at is not null
           and status not in ('cancelled', 'failed')
           and not exists (select 1 from orders as earlier
             where substr(earlier.customer_hash, 1, 8) = substr(orders.customer_hash, 1, 8)
               and earlier.customer_hash = orders.customer_hash
               and (earlier.placed_at, earlier.order_id) < (orders.placed_at, orders.order_id)
               and earlier.status not in ('cancelled', 'failed')))`,
  );
  const { counters } = columnGroups;
  await tx.execute(
    `update coupon_days set ${counters.map((name) => `${name} = of_day.${name}`).join(', ')}
     from (select coupon_id, day,
             ${counters.map((name) => `sum(${sumsOfDay[name]}) as ${name}`).join(', ')}
           from referrals where dropped = 0 group by coupon_id, day) as of_day
     where of_day.coupon_id = coupon_days.coupon_id and of_day.day = coupon_days.day`,
  );
}

/**
 * Figures by account: until now those of a coupon were its present affiliate's, also what a former one had earned.
 *
 * @public For tests.
 */
export async function fillFormerDays(tx: Transaction): Promise<void> {
  const names = Object.keys(sumsOfDay);
  await tx.execute(
    `insert into former_days (coupon_id, user_id, day, ${names.join(', ')})
     select coupon_id, user_id, day, ${names.map((name) => `sum(${sumsOfDay[name]})`).join(', ')}
     from (select referrals.*, coupons.user_id as owner_id
           from referrals join coupons on coupons.id = coupon_id) as credited
     where dropped = 0 and user_id <> coalesce(owner_id, 0)
     group by coupon_id, user_id, day`,
  );
  // Since when they have them is unknown.
  await tx.execute(
    `update coupons set owned_since = 0
     where owned_since is null and id in (select coupon_id from former_accounts)`,
  );
  if (!(await hasShares(tx))) return;
  await tx.execute(
    `insert into former_days (coupon_id, user_id, day, upline_commission)
     select upline_coupon_id, upline_id, day, sum(counted * (awaiting + granted))
     from (select mla_shares.*, coupons.user_id as owner_id
           from mla_shares join coupons on coupons.id = upline_coupon_id) as shares
     where upline_id <> coalesce(owner_id, 0)
     group by upline_coupon_id, upline_id, day
     on conflict (coupon_id, user_id, day) do update set upline_commission = excluded.upline_commission`,
  );
}
