import type { Migration } from '../../db/migrator.ts';
import { sql } from 'kysely';
import { subNames } from './sub-names.ts';

export const migrations: Migration[] = [
  {
    name: 'clicks/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger, storedByKey }) => [
      schema
        .createTable('clicks')
        .addColumn('id', idType, idColumn)
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('visitor_hash', 'text')
        .addColumn('clicked_at', bigInteger, (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('order_id', bigInteger)
        .addColumn('recorded_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.createIndex('clicks_by_visitor').on('clicks').columns(['visitor_hash', 'clicked_at']),
      schema
        .createTable('click_days')
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('conversions', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('roster_due', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('click_days_key', ['coupon_id', 'day', 'campaign']),
      // Sums of all coupons and of campaigns use these; counting a click changes neither index.
      schema.createIndex('click_days_by_day').on('click_days').column('day'),
      schema
        .createIndex('click_days_by_campaign')
        .on('click_days')
        .columns(['campaign', 'coupon_id', 'day']),
      // Pruning starts with the oldest clicks.
      schema.createIndex('clicks_by_time').on('clicks').column('recorded_at'),
      schema
        .createIndex('click_days_roster_due')
        .on('click_days')
        .columns(['coupon_id', 'day', 'campaign'])
        .where(sql<boolean>`roster_due = 1`),
      schema
        .createTable('campaign_days')
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('conversions', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('campaign_days_key', ['day', 'campaign']),
      schema
        .createTable('landing_days')
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('path', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('landing_days_key', ['day', 'path']),
      storedByKey(
        schema
          .createTable('click_months')
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
          .addColumn('month', 'text', (c) => c.notNull())
          .addColumn('clicks', bigInteger, (c) => c.notNull())
          .addColumn('conversions', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('click_months_key', ['coupon_id', 'month']),
      ),
    ],
  },
  {
    name: 'clicks/0002-sources',
    up: (schema, { bigInteger, storedByKey }) => [
      schema.alterTable('clicks').addColumn('source', 'text'),
      storedByKey(
        subNames.reduce(
          (table, name) => table.addColumn(name, 'text', (c) => c.notNull()),
          schema
            .createTable('order_sources')
            .addColumn('order_id', bigInteger, (c) => c.notNull())
            .addColumn('coupon_id', bigInteger, (c) => c.notNull())
            .addColumn('click_id', bigInteger, (c) => c.notNull())
            .addColumn('creative_id', bigInteger)
            .addPrimaryKeyConstraint('order_sources_key', ['order_id', 'coupon_id']),
        ),
      ),
      storedByKey(
        schema
          .createTable('source_days')
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('kind', 'text', (c) => c.notNull())
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('clicks', bigInteger, (c) => c.notNull())
          .addColumn('conversions', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('source_days_key', ['coupon_id', 'kind', 'day', 'name']),
      ),
      storedByKey(
        schema
          .createTable('creative_days')
          .addColumn('creative_id', bigInteger, (c) => c.notNull())
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('clicks', bigInteger, (c) => c.notNull())
          .addColumn('conversions', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('creative_days_key', ['creative_id', 'day']),
      ),
    ],
  },
  {
    name: 'clicks/0003-creatives-by-day',
    // For reports by creative. Counting a click does not change the index.
    up: (schema) => [schema.createIndex('creative_days_by_day').on('creative_days').column('day')],
  },
  {
    name: 'clicks/0004-sources-by-day',
    // For reports by sub-id.
    up: (schema) => [
      schema.createIndex('source_days_by_day').on('source_days').columns(['kind', 'day']),
    ],
  },
  {
    name: 'clicks/0005-former-clicks',
    // Nothing says whose the clicks of a coupon were that has changed hands: they stay those of its affiliate.
    up: (schema, { bigInteger, storedByKey }) => [
      storedByKey(
        schema
          .createTable('former_clicks')
          .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
          .addColumn('kind', 'text', (c) => c.notNull())
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('user_id', bigInteger, (c) => c.notNull())
          .addColumn('clicks', bigInteger, (c) => c.notNull())
          .addColumn('conversions', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('former_clicks_key', [
            'coupon_id',
            'kind',
            'day',
            'name',
            'user_id',
          ]),
      ),
      schema
        .createIndex('former_clicks_by_user')
        .on('former_clicks')
        .columns(['user_id', 'kind', 'day']),
      schema.createIndex('former_clicks_by_day').on('former_clicks').columns(['day']),
    ],
  },
];
