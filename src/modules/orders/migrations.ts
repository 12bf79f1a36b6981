import { sql } from 'kysely';
import { addCounters } from '../../db/columns.ts';
import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/query.ts';

const copyOrderTimes = query((db) =>
  db.updateTable('referrals').set((eb) => ({
    placed_at: eb
      .selectFrom('orders')
      .select('orders.placed_at')
      .whereRef('orders.order_id', '=', 'referrals.order_id') as never,
  })),
);

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
];
