import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { splitCases } from './split-cases.ts';

export const migrations: Migration[] = [
  {
    name: 'review/0001-cases',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('review_cases')
        .addColumn('id', idType, idColumn)
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('rule', 'text', (c) => c.notNull())
        .addColumn('subject_type', 'text', (c) => c.notNull())
        .addColumn('subject_id', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.references('users.id'))
        .addColumn('evidence', 'text', (c) => c.notNull())
        .addColumn('held', bigInteger, (c) => c.notNull())
        .addColumn('answer', 'text')
        .addColumn('answered_at', bigInteger)
        .addColumn('opened_at', bigInteger, (c) => c.notNull())
        .addColumn('decided_at', bigInteger)
        .addColumn('decided_by', bigInteger)
        .addColumn('note', 'text', (c) => c.notNull())
        .addColumn('tell', bigInteger, (c) => c.notNull())
        .addColumn('suspended', bigInteger, (c) => c.notNull())
        .addColumn('reminded_at', bigInteger),
      schema
        .createIndex('review_cases_open')
        .on('review_cases')
        .columns(['subject_type', 'subject_id'])
        .unique()
        .where(sql.ref('state'), '=', sql.lit('open')),
      schema
        .createIndex('review_cases_of_affiliate')
        .on('review_cases')
        .columns(['user_id', 'id'])
        .where('user_id', 'is not', null),
      schema.createIndex('review_cases_by_state').on('review_cases').columns(['state', 'id']),
      schema
        .createTable('review_holds')
        .addColumn('case_id', bigInteger, (c) => c.notNull().references('review_cases.id'))
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('coupon_id', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('review_holds_key', ['case_id', 'order_id', 'coupon_id']),
      schema.createIndex('review_holds_by_order').on('review_holds').column('order_id'),
      schema
        .createTable('review_referrals')
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('coupon_id', bigInteger, (c) => c.notNull())
        .addColumn('restraint', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('release_at', bigInteger)
        .addColumn('commission', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('review_referrals_key', ['order_id', 'coupon_id']),
      schema
        .createTable('review_payouts')
        .addColumn('case_id', bigInteger, (c) => c.notNull().references('review_cases.id'))
        .addColumn('payout_id', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('review_payouts_key', ['payout_id', 'case_id']),
      schema
        .createTable('review_history')
        .addColumn('id', idType, idColumn)
        .addColumn('case_id', bigInteger, (c) => c.notNull().references('review_cases.id'))
        .addColumn('at', bigInteger, (c) => c.notNull())
        .addColumn('actor_id', bigInteger, (c) => c.notNull())
        .addColumn('action', 'text', (c) => c.notNull())
        .addColumn('note', 'text', (c) => c.notNull()),
      schema.createIndex('review_history_by_case').on('review_history').columns(['case_id', 'id']),
    ],
  },
  {
    name: 'review/0002-cases-by-subject',
    up: (schema) => [
      schema
        .createIndex('review_cases_by_subject')
        .on('review_cases')
        .columns(['subject_type', 'subject_id']),
    ],
  },
  {
    name: 'review/0003-click-traces',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('review_click_traces')
        // While the add-on is off, its job rests: then they are removed with their clicks.
        .addColumn('click_id', bigInteger, (c) =>
          c.primaryKey().references('clicks.id').onDelete('cascade'),
        )
        .addColumn('coupon_id', bigInteger, (c) => c.notNull())
        .addColumn('recorded_at', bigInteger, (c) => c.notNull())
        .addColumn('referrer', 'text', (c) => c.notNull())
        .addColumn('ads', 'text', (c) => c.notNull())
        .addColumn('network_hash', 'text'),
      // Pruning starts with the oldest.
      schema
        .createIndex('review_click_traces_by_time')
        .on('review_click_traces')
        .column('recorded_at'),
    ],
  },
  {
    name: 'review/0004-holding-cases',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('review_cases')
        .addColumn('holds_new', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      // Read with every order: there are few of them.
      schema
        .createIndex('review_cases_holding')
        .on('review_cases')
        .column('user_id')
        .where(sql<boolean>`state = 'open' and holds_new = 1`),
    ],
  },
  {
    name: 'review/0005-order-traces',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('review_order_traces')
        .addColumn('order_id', bigInteger, (c) => c.primaryKey())
        .addColumn('domain_hash', 'text', (c) => c.notNull())
        .addColumn('recorded_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('review_order_traces_by_domain')
        .on('review_order_traces')
        .columns(['domain_hash', 'order_id']),
      schema
        .createIndex('review_order_traces_by_time')
        .on('review_order_traces')
        .column('recorded_at'),
    ],
  },
  {
    name: 'review/0006-holds-by-coupon',
    up: (schema) => [
      schema
        .createIndex('review_holds_by_coupon')
        .on('review_holds')
        .columns(['coupon_id', 'case_id']),
    ],
  },
  {
    name: 'review/0007-cases-by-time',
    up: (schema) => [
      schema
        .createIndex('review_cases_by_time')
        .on('review_cases')
        .columns(['opened_at', 'rule', 'state', 'decided_by']),
    ],
  },
  {
    name: 'review/0008-answer-files',
    up: (schema, { bigInteger }) => [
      schema.alterTable('review_cases').addColumn('answer_file', 'text'),
      schema
        .createTable('review_files')
        .addColumn('case_id', bigInteger, (c) => c.primaryKey().references('review_cases.id'))
        .addColumn('content', 'text', (c) => c.notNull()),
    ],
  },
  {
    name: 'review/0009-payouts-by-case',
    up: (schema) => [
      schema.createIndex('review_payouts_by_case').on('review_payouts').column('case_id'),
    ],
  },
  {
    name: 'review/0010-devices',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('review_devices')
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('device_hash', 'text', (c) => c.notNull())
        .addColumn('network_hash', 'text', (c) => c.notNull())
        .addColumn('recorded_at', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('review_devices_key', ['user_id', 'device_hash', 'network_hash']),
      schema
        .createIndex('review_devices_by_device')
        .on('review_devices')
        .columns(['device_hash', 'network_hash', 'user_id']),
      schema.createIndex('review_devices_by_time').on('review_devices').column('recorded_at'),
    ],
  },
  {
    name: 'review/0011-cases-by-affiliate',
    up: (schema) => [
      schema.dropIndex('review_cases_open'),
      schema
        .createIndex('review_cases_open')
        .on('review_cases')
        .columns(['subject_type', 'subject_id', 'user_id'])
        .unique()
        .where(sql.ref('state'), '=', sql.lit('open')),
    ],
    fill: splitCases,
  },
  {
    name: 'review/0012-reopened-cases',
    up: (schema, { bigInteger }) => [
      schema.alterTable('review_cases').addColumn('reopened_at', bigInteger),
    ],
    fill: (tx) =>
      tx.execute(`update review_cases set reopened_at = (select max(at) from review_history
        where case_id = review_cases.id and action = 'reopened') where state = 'open'`),
  },
  {
    name: 'review/0013-files-of-answers',
    up: (schema) => [schema.dropTable('review_files')],
    // Their files were in that table.
    fill: (tx) => tx.execute('update review_cases set answer_file = null'),
  },
];
