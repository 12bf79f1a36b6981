import { sql } from 'kysely';
import { addCounters } from '../../db/statements/columns.ts';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'coupons/0001-baseline',
    up: (schema, dialect) => {
      const { idType, idColumn, bigInteger } = dialect;
      const coupons = schema
        .createTable('coupons')
        .addColumn('id', idType, idColumn)
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('code_folded', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.references('users.id'))
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('percent', 'text')
        .addColumn('fixed_per_order', bigInteger)
        .addColumn('fixed_per_product', bigInteger)
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('refreshed_at', bigInteger);
      return [
        addCounters(coupons, dialect, 'balances', 'figures', 'statuses')
          .addColumn('figures_version', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
          .addColumn('upline_commission', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
          .addColumn('roster_due', bigInteger, (c) => c.notNull().defaultTo(sql`1`))
          .addColumn('roster_user_id', bigInteger),
        schema.createIndex('coupons_by_code').on('coupons').columns(['code_folded', 'id']),
        schema.createIndex('coupons_by_user').on('coupons').columns(['user_id', 'id']),
        schema.createIndex('coupons_by_status').on('coupons').columns(['status', 'id']),
        // Counts the coupons that a change of the store's percentage affects. Orders do not change it.
        schema
          .createIndex('coupons_without_percent')
          .on('coupons')
          .columns(['user_id', 'percent'])
          .where(sql<boolean>`percent is null`),
        // An update that leaves `roster_due` at 1 changes no index.
        schema
          .createIndex('coupons_roster_due')
          .on('coupons')
          .column('id')
          .where(sql<boolean>`roster_due = 1`),
      ];
    },
  },
  {
    name: 'coupons/0002-discount',
    up: (schema) => [schema.alterTable('coupons').addColumn('discount', 'text')],
  },
  {
    name: 'coupons/0003-owners',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema.alterTable('coupons').addColumn('owned_since', bigInteger),
      schema
        .createTable('coupon_owners')
        .addColumn('id', idType, idColumn)
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('user_id', bigInteger, (c) => c.references('users.id'))
        .addColumn('since', bigInteger, (c) => c.notNull())
        .addColumn('until', bigInteger),
      schema
        .createIndex('coupon_owners_by_coupon')
        .on('coupon_owners')
        .columns(['coupon_id', 'id']),
    ],
    fill: (tx) =>
      tx.execute(
        'insert into coupon_owners (coupon_id, user_id, since) select id, user_id, 0 from coupons order by id',
      ),
  },
  {
    name: 'coupons/0004-former-accounts',
    up: (schema, dialect) => [
      addCounters(
        schema
          .createTable('former_accounts')
          .addColumn('coupon_id', dialect.bigInteger, (c) => c.notNull().references('coupons.id'))
          .addColumn('user_id', dialect.bigInteger, (c) => c.notNull()),
        dialect,
        'balances',
      ).addPrimaryKeyConstraint('former_accounts_key', ['coupon_id', 'user_id']),
      schema
        .createIndex('former_accounts_by_user')
        .on('former_accounts')
        .columns(['user_id', 'coupon_id']),
    ],
  },
];
