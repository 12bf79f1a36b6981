import { sql } from 'kysely';
import { assignAccounts } from './assign-accounts.ts';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'ledger/0001-baseline',
    up: (schema, dialect) => [
      schema
        .createTable('ledger')
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
        .addColumn('paid_after', dialect.bigInteger, (c) => c.notNull())
        .addColumn('payout_id', dialect.bigInteger),
      schema.createIndex('ledger_by_coupon').on('ledger').columns(['coupon_id', 'id']),
      // Statements of account find the first entry of a day by it.
      schema.createIndex('ledger_by_time').on('ledger').columns(['coupon_id', 'created_at', 'id']),
      schema
        .createIndex('ledger_by_payout')
        .on('ledger')
        .columns(['payout_id', 'id'])
        .where('payout_id', 'is not', null),
      ...dialect.makeAppendOnly('ledger'),
      ...dialect.forbidReplace('ledger'),
    ],
  },
  {
    name: 'ledger/0002-cases',
    up: (schema, { bigInteger }) => [schema.alterTable('ledger').addColumn('case_id', bigInteger)],
  },
  {
    name: 'ledger/0003-accounts',
    up: (schema, dialect) => [
      schema
        .alterTable('ledger')
        .addColumn('owner_id', dialect.bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.alterTable('ledger').addColumn('other_owner_id', dialect.bigInteger),
      schema.dropIndex('ledger_by_time'),
      // Statements of account find the first entry of a day by it.
      schema
        .createIndex('ledger_by_account')
        .on('ledger')
        .columns(['coupon_id', 'owner_id', 'created_at', 'id']),
      ...dialect.makeChangeable('ledger'),
    ],
    fill: assignAccounts,
  },
  {
    name: 'ledger/0004-append-only',
    up: (_schema, dialect) => dialect.makeAppendOnly('ledger'),
  },
];
