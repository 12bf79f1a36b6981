import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'bonuses/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('reward_bonuses')
        .addColumn('id', idType, idColumn)
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('since', bigInteger, (c) => c.notNull())
        .addColumn('version', bigInteger, (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull()),
      schema
        .createTable('bonus_payments')
        // No reference: a bonus may be deleted, what it has paid stays.
        .addColumn('bonus_id', bigInteger, (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('window_first', 'text', (c) => c.notNull())
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('amount', bigInteger, (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('goal', 'text')
        .addColumn('reached_at', bigInteger, (c) => c.notNull())
        .addColumn('release_at', bigInteger)
        .addColumn('reason', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('bonus_payments_key', ['bonus_id', 'user_id', 'window_first']),
      schema.createIndex('bonus_payments_by_user').on('bonus_payments').column('user_id'),
      schema
        .createIndex('bonus_payments_by_release')
        .on('bonus_payments')
        .column('release_at')
        .where('release_at', 'is not', null),
      schema
        .createIndex('bonus_payments_held')
        .on('bonus_payments')
        .columns(['coupon_id', 'release_at'])
        .where('release_at', 'is not', null),
      schema
        .createTable('bonus_checks')
        .addColumn('id', idType, idColumn)
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('object_id', bigInteger, (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('due_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('bonus_checks_by_time').on('bonus_checks').columns(['due_at', 'id']),
      schema
        .createIndex('bonus_checks_by_object')
        .on('bonus_checks')
        .columns(['object_id', 'due_at']),
    ],
  },
  {
    name: 'bonuses/0002-reached',
    up: (schema) => [
      schema.createIndex('bonus_payments_by_time').on('bonus_payments').column('reached_at'),
    ],
  },
  {
    name: 'bonuses/0003-audit',
    up: (schema) => [
      schema.createIndex('bonus_payments_by_coupon').on('bonus_payments').column('coupon_id'),
      // Both sides of the comparison with the ledger, of which most entries are orders.
      schema
        .createIndex('ledger_of_bonuses')
        .on('ledger')
        .column('coupon_id')
        .where(sql.ref('kind'), '=', sql.lit('bonus')),
    ],
  },
  {
    name: 'bonuses/0004-customers',
    up: (schema) => [schema.alterTable('bonus_checks').addColumn('customer_key', 'text')],
  },
  {
    name: 'bonuses/0005-affiliates',
    up: (schema) => [schema.alterTable('bonus_checks').dropColumn('customer_key')],
    fill: (tx) =>
      tx
        .execute(
          `update bonus_checks set kind = 'affiliate',
           object_id = (select user_id from coupons where coupons.id = bonus_checks.object_id)
         where kind = 'coupon'
           and exists (select 1 from coupons where id = bonus_checks.object_id and user_id is not null)`,
        )
        .then(() => tx.execute(`delete from bonus_checks where kind in ('coupon', 'customer')`)),
  },
];
