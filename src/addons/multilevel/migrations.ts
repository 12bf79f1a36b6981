import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'multilevel/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('mla_shares')
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('tier', 'integer', (c) => c.notNull())
        .addColumn('upline_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('upline_coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('percent', 'text', (c) => c.notNull())
        .addColumn('amount', bigInteger, (c) => c.notNull())
        .addColumn('awaiting', bigInteger, (c) => c.notNull())
        .addColumn('granted', bigInteger, (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('counted', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('release_at', bigInteger)
        .addPrimaryKeyConstraint('mla_shares_key', ['order_id', 'coupon_id', 'tier']),
      schema
        .createIndex('mla_shares_by_coupon')
        .on('mla_shares')
        .columns(['upline_coupon_id', 'order_id', 'coupon_id', 'tier']),
      schema
        .createIndex('mla_shares_held')
        .on('mla_shares')
        .columns(['upline_coupon_id', 'release_at', 'awaiting'])
        .where(sql<boolean>`release_at is not null`),
    ],
  },
];
