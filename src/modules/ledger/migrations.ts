import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: '0002-journal',
    up: (schema, dialect) => [
      schema
        .createTable('journal')
        .addColumn('id', dialect.idType, dialect.idColumn)
        .addColumn('coupon_id', dialect.bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('from_pool', 'text', (c) => c.notNull())
        .addColumn('to_pool', 'text', (c) => c.notNull())
        .addColumn('amount', dialect.bigInteger, (c) => c.notNull().check(sql`amount > 0`))
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('order_id', dialect.bigInteger)
        .addColumn('user_id', dialect.bigInteger, (c) => c.notNull())
        .addColumn('note', 'text', (c) => c.notNull())
        .addColumn('created_at', dialect.bigInteger, (c) => c.notNull())
        .addColumn('unpaid_after', dialect.bigInteger, (c) => c.notNull())
        .addColumn('awaiting_after', dialect.bigInteger, (c) => c.notNull())
        .addColumn('pending_payout_after', dialect.bigInteger, (c) => c.notNull())
        .addColumn('paid_after', dialect.bigInteger, (c) => c.notNull()),
      schema.createIndex('journal_by_coupon').on('journal').columns(['coupon_id', 'id']),
      schema.createIndex('journal_by_order').on('journal').columns(['order_id', 'id']),
      ...dialect.makeAppendOnly('journal'),
    ],
  },
  {
    name: '0003-journal-without-replace',
    up: (_schema, dialect) => dialect.forbidReplace('journal'),
  },
  {
    // No statement used the index by order. Statements of account find the first entry of a day by the new one.
    name: '0004-journal-by-time',
    up: (schema) => [
      schema.dropIndex('journal_by_order'),
      schema
        .createIndex('journal_by_time')
        .on('journal')
        .columns(['coupon_id', 'created_at', 'id']),
    ],
  },
];
