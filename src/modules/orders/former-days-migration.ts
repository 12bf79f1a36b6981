import { sql } from 'kysely';
import { addCounters, columnGroups } from '../../db/statements/columns.ts';
import type { Migration } from '../../db/migrator.ts';
import { readFirst } from '../../db/statements/calls.ts';

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
export const sumsOfDay: Record<string, string> = {
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

/** Figures by account: until now those of a coupon were its present affiliate's, also what a former one had earned. */
export const formerDays: Migration = {
  name: 'orders/0003-former-days',
  up: (schema, dialect) => [
    addCounters(
      schema
        .createTable('former_days')
        .addColumn('coupon_id', dialect.bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('user_id', dialect.bigInteger, (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull()),
      dialect,
      'figures',
      'statuses',
      'counters',
    )
      .addColumn('upline_commission', dialect.bigInteger, (c) => c.notNull().defaultTo(sql`0`))
      .addPrimaryKeyConstraint('former_days_key', ['coupon_id', 'user_id', 'day']),
    schema.createIndex('former_days_by_user').on('former_days').columns(['user_id', 'day']),
    schema.createIndex('former_days_by_day').on('former_days').columns(['day']),
  ],
  async fill(tx) {
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
  },
};
