import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/statements/query.ts';
import { fillShareFigures } from './fill-share-figures.ts';

const copyReleases = query((db) =>
  db.updateTable('mla_shares').set((eb) => ({
    release_at: eb
      .selectFrom('referrals')
      .select('referrals.release_at')
      .whereRef('referrals.order_id', '=', 'mla_shares.order_id')
      .whereRef('referrals.coupon_id', '=', 'mla_shares.coupon_id'),
  })),
);

export const migrations: Migration[] = [
  {
    name: '0001-multilevel',
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
        .addPrimaryKeyConstraint('mla_shares_key', ['order_id', 'coupon_id', 'tier']),
      schema.createIndex('mla_shares_by_coupon').on('mla_shares').column('upline_coupon_id'),
    ],
  },
  {
    name: '0002-share-figures',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('mla_shares')
        .addColumn('day', 'text', (c) => c.notNull().defaultTo(sql`''`)),
      schema
        .alterTable('mla_shares')
        .addColumn('counted', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.dropIndex('mla_shares_by_coupon'),
      schema
        .createIndex('mla_shares_by_coupon')
        .on('mla_shares')
        .columns(['upline_coupon_id', 'order_id', 'coupon_id', 'tier']),
    ],
    fill: fillShareFigures,
  },
  {
    name: '0003-held-shares',
    up: (schema, { bigInteger }) => [
      schema.alterTable('mla_shares').addColumn('release_at', bigInteger),
      schema
        .createIndex('mla_shares_held')
        .on('mla_shares')
        .columns(['upline_coupon_id', 'release_at', 'awaiting'])
        .where(sql<boolean>`release_at is not null`),
    ],
    async fill(tx) {
      await tx.run(copyReleases, {});
    },
  },
];
