import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'bonuses/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
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
      schema.createIndex('bonus_payments_by_time').on('bonus_payments').column('reached_at'),
      schema.createIndex('bonus_payments_by_coupon').on('bonus_payments').column('coupon_id'),
      // Both sides of the comparison with the ledger, of which most entries are orders.
      schema
        .createIndex('ledger_of_bonuses')
        .on('ledger')
        .column('coupon_id')
        .where(sql.ref('kind'), '=', sql.lit('bonus')),
    ],
  },
];
