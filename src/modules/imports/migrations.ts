import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/statements/query.ts';

/** What is still there of imports of earlier releases. */
const countImported = query((db) => {
  const statement = sql<never>`update imports set
    affiliates = (select count(*) from import_links where import_id = imports.id
      and kind = 'affiliate' and created = 1),
    coupons = (select count(*) from import_links where import_id = imports.id
      and kind = 'code' and created = 1),
    balance = (select coalesce(sum(amount), 0) from import_links where import_id = imports.id
      and kind = 'balance'),
    records = (select count(*) from import_history where import_id = imports.id)`;
  return { compile: () => statement.compile(db) };
});

export const migrations: Migration[] = [
  {
    name: '0001-imports',
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
        .addColumn('ended_at', bigInteger),
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
    name: '0002-import-counts',
    up: (schema, { bigInteger }) => [
      ...['affiliates', 'coupons', 'balance', 'records', 'kept'].map((column) =>
        schema
          .alterTable('imports')
          .addColumn(column, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      ),
      ...['run_by', 'reason'].map((column) =>
        schema
          .alterTable('imports')
          .addColumn(column, 'text', (c) => c.notNull().defaultTo(sql`''`)),
      ),
      schema.alterTable('imports').addColumn('undo_by', bigInteger),
    ],
    async fill(tx) {
      await tx.run(countImported, {});
    },
  },
];
