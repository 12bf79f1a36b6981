import { sql } from 'kysely';
import { addCounters } from '../../db/statements/columns.ts';
import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/statements/query.ts';
import { fillAttribution } from './fill-attribution.ts';
import { fillDropped, fillExchangeRates } from './fill-dropped.ts';

const copyOrderTimes = query((db) =>
  db.updateTable('referrals').set((eb) => ({
    placed_at: eb
      .selectFrom('orders')
      .select('orders.placed_at')
      .whereRef('orders.order_id', '=', 'referrals.order_id'),
  })),
);

/**
 * The report counted an order only by the referral with the lowest coupon id. This adds the orders whose
 * coupon of that id was removed while another one still counts.
 */
const addForgottenOrders = query((db) => {
  const statement = sql<never>`insert into store_days
      (day, orders_count, total_sales, total_discount, total_shipping)
    select day, count(*), sum(sales), sum(discount), sum(shipping)
    from referrals as lowest
    where counted = 0
      and not exists (select 1 from referrals as lower
        where lower.order_id = lowest.order_id and lower.coupon_id < lowest.coupon_id)
      and exists (select 1 from referrals as counting
        where counting.order_id = lowest.order_id and counting.counted = 1)
    group by day
    on conflict (day) do update set
      orders_count = store_days.orders_count + excluded.orders_count,
      total_sales = store_days.total_sales + excluded.total_sales,
      total_discount = store_days.total_discount + excluded.total_discount,
      total_shipping = store_days.total_shipping + excluded.total_shipping`;
  return { compile: () => statement.compile(db) };
});

export const migrations: Migration[] = [
  {
    name: '0002-orders',
    up: (schema, dialect) => {
      const { bigInteger } = dialect;
      const couponDays = schema
        .createTable('coupon_days')
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('day', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('coupon_days_key', ['coupon_id', 'day']);
      const storeDays = schema
        .createTable('store_days')
        .addColumn('day', 'text', (c) => c.primaryKey());
      return [
        schema
          .createTable('orders')
          .addColumn('order_id', bigInteger, (c) => c.primaryKey())
          .addColumn('placed_at', bigInteger, (c) => c.notNull())
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('status', 'text', (c) => c.notNull())
          .addColumn('currency', 'text', (c) => c.notNull())
          .addColumn('total', bigInteger, (c) => c.notNull())
          .addColumn('discount', bigInteger, (c) => c.notNull())
          .addColumn('shipping', bigInteger, (c) => c.notNull())
          .addColumn('refunded', bigInteger, (c) => c.notNull())
          .addColumn('modified_at', bigInteger)
          .addColumn('customer_hash', 'text')
          .addColumn('content', 'text', (c) => c.notNull())
          .addColumn('created_at', bigInteger, (c) => c.notNull())
          .addColumn('updated_at', bigInteger, (c) => c.notNull()),
        schema
          .createTable('referrals')
          .addColumn('order_id', bigInteger, (c) => c.notNull().references('orders.order_id'))
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
          .addColumn('user_id', bigInteger, (c) => c.notNull())
          .addColumn('via', 'text', (c) => c.notNull())
          .addColumn('rates', 'text', (c) => c.notNull())
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('status', 'text', (c) => c.notNull())
          .addColumn('commission', bigInteger, (c) => c.notNull())
          .addColumn('state', 'text', (c) => c.notNull())
          .addColumn('awaiting', bigInteger, (c) => c.notNull())
          .addColumn('granted', bigInteger, (c) => c.notNull())
          .addColumn('release_at', bigInteger)
          .addColumn('counted', bigInteger, (c) => c.notNull())
          .addColumn('sales', bigInteger, (c) => c.notNull())
          .addColumn('discount', bigInteger, (c) => c.notNull())
          .addColumn('shipping', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('referrals_key', ['order_id', 'coupon_id']),
        schema
          .createIndex('referrals_by_coupon')
          .on('referrals')
          .columns(['coupon_id', 'day', 'order_id', 'status']),
        schema.createIndex('referrals_by_release').on('referrals').column('release_at'),
        schema
          .createTable('lifetime_customers')
          .addColumn('customer_hash', 'text', (c) => c.primaryKey())
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id')),
        addCounters(couponDays, dialect, 'figures', 'statuses'),
        addCounters(storeDays, dialect, 'figures'),
        schema.createIndex('coupon_days_by_day').on('coupon_days').columns(['day', 'coupon_id']),
      ];
    },
  },
  {
    name: '0003-order-times',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('referrals')
        .addColumn('placed_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.dropIndex('referrals_by_coupon'),
      schema
        .createIndex('referrals_by_coupon')
        .on('referrals')
        .columns(['coupon_id', 'day', 'placed_at', 'order_id', 'status']),
    ],
    async fill(tx) {
      await tx.run(copyOrderTimes, {});
    },
  },
  {
    name: '0004-orders-of-several-coupons',
    up: () => [],
    async fill(tx) {
      await tx.run(addForgottenOrders, {});
    },
  },
  {
    name: '0005-what-an-order-earns-now',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('referrals')
        .addColumn('dropped', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.alterTable('orders').addColumn('exchange_rate', 'text'),
      schema.alterTable('orders').addColumn('external_id', 'text'),
      schema.dropIndex('referrals_by_coupon'),
      // Without the orders that a coupon was removed from: lists and rebuilds read only this index.
      schema
        .createIndex('referrals_by_coupon')
        .on('referrals')
        .columns(['coupon_id', 'day', 'placed_at', 'order_id', 'status'])
        .where(sql<boolean>`dropped = 0`),
    ],
    async fill(tx) {
      await fillDropped(tx);
      await fillExchangeRates(tx);
    },
  },
  {
    name: '0006-upline-commission-by-day',
    up: (schema, { bigInteger }) =>
      ['coupon_days', 'store_days'].map((table) =>
        schema
          .alterTable(table)
          .addColumn('upline_commission', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      ),
  },
  {
    name: '0007-applied-statuses',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('applied_statuses')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('statuses', 'text', (c) => c.notNull())
        .addColumn('position', bigInteger, (c) => c.notNull())
        .addColumn('changed', bigInteger, (c) => c.notNull())
        .addColumn('finished_at', bigInteger),
    ],
  },
  {
    name: '0008-attribution-of-links',
    up: (schema, { bigInteger }) => [
      schema.alterTable('orders').addColumn('click_id', bigInteger),
      schema.alterTable('orders').addColumn('visitor_hash', 'text'),
      schema.alterTable('orders').addColumn('referral_code', 'text'),
      schema
        .alterTable('referrals')
        .addColumn('credited_by', 'text', (c) => c.notNull().defaultTo(sql.lit('coupon_codes'))),
      schema.alterTable('referrals').addColumn('click_id', bigInteger),
    ],
    fill: fillAttribution,
  },
  {
    name: '0009-orders-of-an-affiliate',
    up: (schema) => [
      schema.dropIndex('referrals_by_coupon'),
      // The last three columns let lists filter by what an order earns without reading its row.
      schema
        .createIndex('referrals_by_coupon')
        .on('referrals')
        .columns([
          'coupon_id',
          'day',
          'placed_at',
          'order_id',
          'status',
          'state',
          'release_at',
          'commission',
        ])
        .where(sql<boolean>`dropped = 0`),
      schema
        .createIndex('referrals_held')
        .on('referrals')
        .columns(['coupon_id', 'release_at', 'awaiting'])
        .where(sql<boolean>`release_at is not null`),
    ],
  },
  {
    name: '0010-lists-of-orders',
    up: (schema) => [
      schema
        .createIndex('orders_by_date')
        .on('orders')
        .columns(['status', 'placed_at', 'order_id', 'total']),
      schema
        .createIndex('orders_by_total')
        .on('orders')
        .columns(['status', 'total', 'order_id', 'placed_at']),
      schema
        .createIndex('referrals_by_commission')
        .on('referrals')
        .columns(['status', 'commission', 'order_id', 'placed_at'])
        .where(sql<boolean>`dropped = 0`),
    ],
  },
  {
    name: '0011-stores-of-orders',
    up: (schema, { bigInteger }) => [schema.alterTable('orders').addColumn('store_id', bigInteger)],
  },
  {
    // The days of a coupon lie side by side: reports of a year add them up without a lookup for each, and an order
    // changes one index less.
    name: '0012-days-stored-by-coupon',
    up: (schema, dialect) => {
      if (!dialect.storesByKey) return [];
      const days = schema
        .createTable('coupon_days_by_key')
        .addColumn('coupon_id', dialect.bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('day', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('coupon_days_key', ['coupon_id', 'day']);
      const counted = addCounters(days, dialect, 'figures', 'statuses').addColumn(
        'upline_commission',
        dialect.bigInteger,
        (c) => c.notNull().defaultTo(sql`0`),
      );
      return [dialect.storedByKey(counted)];
    },
    async fill(tx) {
      if (!tx.dialect.storesByKey) return;
      for (const statement of [
        'insert into coupon_days_by_key select * from coupon_days order by coupon_id, day',
        'drop table coupon_days',
        'alter table coupon_days_by_key rename to coupon_days',
        'create index coupon_days_by_day on coupon_days (day, coupon_id)',
      ]) {
        await tx.execute(statement);
      }
    },
  },
];
