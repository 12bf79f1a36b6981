import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'imports/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('imports')
        .addColumn('id', idType, idColumn)
        .addColumn('system', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('files', 'text', (c) => c.notNull())
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('pieces', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('ended_at', bigInteger)
        .addColumn('affiliates', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('coupons', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('balance', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('records', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('kept', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('run_by', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('reason', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('undo_by', bigInteger),
      schema
        .createTable('import_links')
        .addColumn('id', idType, idColumn)
        .addColumn('import_id', bigInteger, (c) => c.notNull().references('imports.id'))
        .addColumn('system', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('external_id', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        // A coupon without a history can be deleted; what the import noted about it stays.
        .addColumn('coupon_id', bigInteger)
        .addColumn('created', bigInteger, (c) => c.notNull())
        .addColumn('amount', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('entry_id', bigInteger)
        .addColumn('undone_entry_id', bigInteger),
      schema.createIndex('import_links_by_import').on('import_links').columns(['import_id', 'id']),
      schema
        .createIndex('import_links_by_record')
        .on('import_links')
        .columns(['system', 'kind', 'external_id']),
      schema.createIndex('import_links_by_user').on('import_links').columns(['user_id', 'kind']),
      schema.createIndex('import_links_by_coupon').on('import_links').column('coupon_id'),
      schema
        .createTable('import_history')
        .addColumn('id', idType, idColumn)
        .addColumn('import_id', bigInteger, (c) => c.notNull().references('imports.id'))
        .addColumn('system', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('external_id', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('amount', bigInteger, (c) => c.notNull())
        .addColumn('sale', bigInteger)
        .addColumn('reference', 'text', (c) => c.notNull())
        .addColumn('happened_at', bigInteger),
      schema
        .createIndex('import_history_by_record')
        .unique()
        .on('import_history')
        .columns(['external_id', 'system', 'kind', 'import_id']),
      schema.createIndex('import_history_by_user').on('import_history').columns(['user_id', 'id']),
      schema
        .createIndex('import_history_by_import')
        .on('import_history')
        .columns(['import_id', 'id']),
    ],
  },
  {
    name: 'imports/0002-rules',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .alterTable('imports')
        .addColumn('rules', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema
        .createTable('import_rules')
        .addColumn('id', idType, idColumn)
        .addColumn('import_id', bigInteger, (c) => c.notNull().references('imports.id'))
        .addColumn('rule_id', bigInteger, (c) => c.notNull())
        .addColumn('version', bigInteger, (c) => c.notNull()),
      schema.createIndex('import_rules_by_import').on('import_rules').columns(['import_id', 'id']),
    ],
  },
];
