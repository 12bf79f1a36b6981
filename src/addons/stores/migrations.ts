import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { addFolders } from './add-folders.ts';
import { joinRenewals } from './join-renewals.ts';

export const migrations: Migration[] = [
  {
    name: 'stores/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('store_connections')
        .addColumn('id', idType, idColumn)
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('failing_since', bigInteger)
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('previous_secret', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('previous_until', bigInteger)
        .addColumn('credentials', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('exchange_rates', 'text', (c) => c.notNull().defaultTo(sql`'{}'`))
        .addColumn('coupon_discount', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('webhooks_active', bigInteger)
        .addColumn('last_delivery_at', bigInteger)
        .addColumn('last_order_at', bigInteger)
        .addColumn('missed_found', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('rejected', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('rejected_at', bigInteger)
        .addColumn('rejected_reason', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('reported_since', bigInteger)
        .addColumn('host', 'text')
        .addColumn('account', 'text')
        .addColumn('mapped_by', 'text', (c) => c.notNull().defaultTo(sql`''`)),
      schema
        .createTable('store_deliveries')
        .addColumn('id', idType, idColumn)
        .addColumn('connection_id', bigInteger, (c) =>
          c.notNull().references('store_connections.id'),
        )
        .addColumn('topic', 'text', (c) => c.notNull())
        .addColumn('external_id', 'text')
        .addColumn('dedupe_key', 'text', (c) => c.notNull())
        .addColumn('headers', 'text', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('is_base64', bigInteger, (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('due_at', bigInteger)
        .addColumn('order_id', bigInteger)
        .addColumn('received_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('store_deliveries_once')
        .on('store_deliveries')
        .columns(['connection_id', 'dedupe_key'])
        .unique(),
      schema
        .createIndex('store_deliveries_due')
        .on('store_deliveries')
        .columns(['connection_id', 'due_at', 'id'])
        .where('due_at', 'is not', null),
      schema
        .createIndex('store_deliveries_failed')
        .on('store_deliveries')
        .columns(['connection_id', 'id'])
        .where(sql<boolean>`state = 'failed'`),
      schema.createIndex('store_deliveries_by_age').on('store_deliveries').column('received_at'),
      schema
        .createTable('store_orders')
        .addColumn('connection_id', bigInteger, (c) =>
          c.notNull().references('store_connections.id'),
        )
        .addColumn('external_id', 'text', (c) => c.notNull())
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('reread_at', bigInteger)
        .addColumn('observed_at', bigInteger)
        .addPrimaryKeyConstraint('store_orders_key', ['connection_id', 'external_id']),
      schema.createIndex('store_orders_by_number').on('store_orders').column('order_id').unique(),
      schema
        .createIndex('store_orders_reread')
        .on('store_orders')
        .columns(['connection_id', 'reread_at'])
        .where('reread_at', 'is not', null),
      schema
        .createTable('store_syncs')
        .addColumn('connection_id', bigInteger, (c) =>
          c.notNull().references('store_connections.id'),
        )
        .addColumn('task', 'text', (c) => c.notNull())
        .addColumn('since_at', bigInteger, (c) => c.notNull())
        .addColumn('page', 'text')
        .addColumn('begun_at', bigInteger)
        .addColumn('due_at', bigInteger)
        .addColumn('lease', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('failures', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('done', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('changed', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('total', bigInteger)
        .addColumn('finished_at', bigInteger)
        .addColumn('catching_up', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('store_syncs_key', ['connection_id', 'task']),
      schema
        .createTable('store_coupons')
        .addColumn('connection_id', bigInteger, (c) =>
          c.notNull().references('store_connections.id'),
        )
        .addColumn('coupon_id', bigInteger, (c) => c.notNull())
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('active', bigInteger, (c) => c.notNull())
        .addColumn('created', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('due_at', bigInteger)
        .addColumn('error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addPrimaryKeyConstraint('store_coupons_key', ['connection_id', 'coupon_id']),
      schema
        .createIndex('store_coupons_due')
        .on('store_coupons')
        .column('due_at')
        .where('due_at', 'is not', null),
      schema
        .createTable('store_approvals')
        .addColumn('id', idType, idColumn)
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('state_hash', 'text', (c) => c.notNull().unique())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger, (c) => c.notNull())
        .addColumn('connection_id', bigInteger)
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('due_at', bigInteger)
        .addColumn('report', 'text', (c) => c.notNull().defaultTo(sql`'{}'`))
        .addColumn('replaces', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema
        .createIndex('store_connections_by_host')
        .on('store_connections')
        .columns(['kind', 'host'])
        .unique()
        .where('host', 'is not', null),
      schema
        .createIndex('store_connections_by_account')
        .on('store_connections')
        .columns(['kind', 'account'])
        .unique()
        .where('account', 'is not', null),
      schema
        .createIndex('store_deliveries_by_connection')
        .on('store_deliveries')
        .columns(['connection_id', 'id']),
      schema
        .createIndex('store_coupons_failed')
        .on('store_coupons')
        .columns(['connection_id', 'coupon_id'])
        .where(sql<boolean>`error <> ''`),
    ],
  },
  { name: 'stores/0002-renewals', up: () => [], fill: joinRenewals },
  {
    name: 'stores/0003-unseen-orders',
    up: (schema, { bigInteger }) => [
      schema.alterTable('store_orders').addColumn('unseen_at', bigInteger),
      schema
        .createIndex('store_orders_unseen')
        .on('store_orders')
        .columns(['connection_id', 'unseen_at'])
        .where('unseen_at', 'is not', null),
    ],
  },
  {
    name: 'stores/0004-folders',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('store_approvals')
        .addColumn('is_another', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ],
    fill: addFolders,
  },
  {
    name: 'stores/0005-access-tried-first',
    up: (schema) => [
      schema
        .alterTable('store_approvals')
        .addColumn('access', 'text', (c) => c.notNull().defaultTo(sql`''`)),
    ],
  },
  {
    name: 'stores/0006-limits',
    up: (schema) => [
      schema
        .alterTable('store_connections')
        .addColumn('limits', 'text', (c) => c.notNull().defaultTo(sql`'[]'`)),
    ],
  },
];
