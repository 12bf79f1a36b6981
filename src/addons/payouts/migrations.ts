import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'payouts/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('payouts')
        .addColumn('id', idType, idColumn)
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('amount', bigInteger, (c) => c.notNull())
        .addColumn('method_type', 'text', (c) => c.notNull())
        .addColumn('method', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('details', 'text')
        .addColumn('transaction_id', 'text', (c) => c.notNull())
        .addColumn('invoice_id', bigInteger, (c) => c.notNull())
        .addColumn('requested_at', bigInteger, (c) => c.notNull())
        .addColumn('requested_day', 'text', (c) => c.notNull())
        .addColumn('paid_at', bigInteger)
        .addColumn('paid_day', 'text')
        .addColumn('nonce', 'text', (c) => c.notNull())
        .addColumn('ask_at', bigInteger)
        .addColumn('asks', 'integer', (c) => c.notNull())
        .addColumn('leased_until', bigInteger, (c) => c.notNull())
        .addColumn('pay_attempts', 'integer', (c) => c.notNull())
        .addColumn('unclear_since', bigInteger)
        .addColumn('unclear_reason', 'text')
        .addColumn('reported_at', bigInteger)
        .addColumn('failure_code', 'text')
        .addColumn('failure_message', 'text')
        .addColumn('begun_at', bigInteger)
        .addColumn('changed_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('retry_of', bigInteger, (c) => c.references('payouts.id')),
      // Lists are newest first, so each of these is read from its end.
      schema.createIndex('payouts_by_day').on('payouts').columns(['requested_day', 'id']),
      schema
        .createIndex('payouts_by_status')
        .on('payouts')
        .columns(['status', 'requested_day', 'id']),
      schema
        .createIndex('payouts_by_user')
        .on('payouts')
        .columns(['user_id', 'requested_day', 'id']),
      schema
        .createIndex('payouts_by_coupon')
        .on('payouts')
        .columns(['coupon_id', 'requested_day', 'id']),
      schema
        .createIndex('payouts_open')
        .on('payouts')
        .column('coupon_id')
        .where(sql<boolean>`status in ('pending', 'created', 'processing')`),
      schema
        .createIndex('payouts_to_ask')
        .on('payouts')
        .column('ask_at')
        .where('ask_at', 'is not', null),
      schema
        .createTable('payout_details')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('method_type', 'text', (c) => c.notNull())
        .addColumn('details', 'text', (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull())
        .addColumn('destination_hash', 'text', (c) => c.notNull()),
      schema
        .createTable('payout_days')
        .addColumn('basis', 'text', (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('payouts', bigInteger, (c) => c.notNull().defaultTo(0))
        .addColumn('amount', bigInteger, (c) => c.notNull().defaultTo(0))
        .addPrimaryKeyConstraint('payout_days_key', ['basis', 'day', 'status']),
      schema
        .createIndex('payouts_unclear')
        .on('payouts')
        .column('unclear_since')
        .where('unclear_since', 'is not', null),
      schema
        .createTable('payout_changes')
        .addColumn('id', idType, idColumn)
        .addColumn('payout_id', bigInteger, (c) => c.notNull().references('payouts.id'))
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('changed_at', bigInteger, (c) => c.notNull())
        .addColumn('mail', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('occasion', 'text', (c) => c.notNull().defaultTo('')),
      schema
        .createIndex('payout_changes_by_payout')
        .on('payout_changes')
        .columns(['payout_id', 'id']),
      // The list of the console sorts by the last change and by the amount, and filters by the method.
      schema.createIndex('payouts_by_change').on('payouts').columns(['changed_at', 'id']),
      schema
        .createIndex('payouts_by_status_change')
        .on('payouts')
        .columns(['status', 'changed_at', 'id']),
      schema.createIndex('payouts_by_amount').on('payouts').columns(['amount', 'id']),
      schema
        .createIndex('payouts_by_status_amount')
        .on('payouts')
        .columns(['status', 'amount', 'id']),
      schema
        .createIndex('payouts_by_method')
        .on('payouts')
        .columns(['method_type', 'requested_day', 'id']),
      schema.createIndex('payout_details_by_method').on('payout_details').column('method_type'),
      schema
        .createIndex('payouts_retry_of')
        .on('payouts')
        .column('retry_of')
        .unique()
        .where('retry_of', 'is not', null),
      schema
        .createTable('payout_calls')
        .addColumn('id', idType, idColumn)
        .addColumn('payout_id', bigInteger, (c) => c.notNull().references('payouts.id'))
        .addColumn('act', 'text', (c) => c.notNull())
        .addColumn('outcome', 'text', (c) => c.notNull())
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('transaction_id', 'text', (c) => c.notNull())
        .addColumn('times', 'integer', (c) => c.notNull())
        .addColumn('first_at', bigInteger, (c) => c.notNull())
        .addColumn('last_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('payout_calls_by_payout').on('payout_calls').columns(['payout_id', 'id']),
      schema
        .createIndex('payouts_by_status_method')
        .on('payouts')
        .columns(['status', 'method_type', 'requested_day', 'id']),
      schema
        .createIndex('payouts_by_reference')
        .on('payouts')
        .column('transaction_id')
        .where('transaction_id', '<>', sql.lit('')),
      schema
        .createTable('payout_files')
        .addColumn('id', idType, idColumn)
        .addColumn('format', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('payouts', 'integer', (c) => c.notNull())
        .addColumn('total', bigInteger, (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('created_by', bigInteger, (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull()),
      schema
        .createTable('payout_file_items')
        .addColumn('file_id', bigInteger, (c) => c.notNull().references('payout_files.id'))
        .addColumn('payout_id', bigInteger, (c) => c.notNull().references('payouts.id'))
        .addPrimaryKeyConstraint('payout_file_items_key', ['file_id', 'payout_id']),
      schema
        .createIndex('payout_file_items_by_payout')
        .on('payout_file_items')
        .columns(['payout_id', 'file_id']),
      schema
        .createIndex('payout_details_by_destination')
        .on('payout_details')
        .column('destination_hash'),
    ],
  },
];
