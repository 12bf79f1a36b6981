import { sql } from 'kysely';
import { addCounters } from '../../db/statements/columns.ts';
import type { Migration } from '../../db/migrator.ts';
import { decided } from './decided-migration.ts';
import { formerDays } from './former-days-migration.ts';

export const migrations: Migration[] = [
  {
    name: 'orders/0001-baseline',
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
          .addColumn('updated_at', bigInteger, (c) => c.notNull())
          .addColumn('exchange_rate', 'text')
          .addColumn('external_id', 'text')
          .addColumn('click_id', bigInteger)
          .addColumn('visitor_hash', 'text')
          .addColumn('referral_code', 'text')
          .addColumn('store_id', bigInteger),
        schema
          .createIndex('orders_by_date')
          .on('orders')
          .columns(['status', 'placed_at', 'order_id', 'total']),
        schema
          .createIndex('orders_by_total')
          .on('orders')
          .columns(['status', 'total', 'order_id', 'placed_at']),
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
          .addColumn('placed_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
          .addColumn('dropped', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
          .addColumn('credited_by', 'text', (c) => c.notNull().defaultTo(sql.lit('coupon_codes')))
          .addColumn('click_id', bigInteger)
          .addPrimaryKeyConstraint('referrals_key', ['order_id', 'coupon_id']),
        // Without the orders that a coupon was removed from: lists and rebuilds read only this index. The last three
        // columns let lists filter by what an order earns without reading its row.
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
        schema
          .createIndex('referrals_by_commission')
          .on('referrals')
          .columns(['status', 'commission', 'order_id', 'placed_at'])
          .where(sql<boolean>`dropped = 0`),
        schema.createIndex('referrals_by_release').on('referrals').column('release_at'),
        schema
          .createTable('lifetime_customers')
          .addColumn('customer_hash', 'text', (c) => c.primaryKey())
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id')),
        schema
          .createTable('applied_statuses')
          .addColumn('name', 'text', (c) => c.primaryKey())
          .addColumn('statuses', 'text', (c) => c.notNull())
          .addColumn('position', bigInteger, (c) => c.notNull())
          .addColumn('changed', bigInteger, (c) => c.notNull())
          .addColumn('finished_at', bigInteger),
        // The days of a coupon lie side by side: reports of a year add them up without a lookup for each.
        dialect.storedByKey(
          addCounters(couponDays, dialect, 'figures', 'statuses').addColumn(
            'upline_commission',
            bigInteger,
            (c) => c.notNull().defaultTo(sql`0`),
          ),
        ),
        addCounters(storeDays, dialect, 'figures').addColumn('upline_commission', bigInteger, (c) =>
          c.notNull().defaultTo(sql`0`),
        ),
        schema.createIndex('coupon_days_by_day').on('coupon_days').columns(['day', 'coupon_id']),
      ];
    },
  },
  decided,
  formerDays,
];
