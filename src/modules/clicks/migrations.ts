import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/statements/query.ts';
import { sql } from 'kysely';

const copyClickTimes = query((db) =>
  db.updateTable('clicks').set((eb) => ({ recorded_at: eb.ref('clicked_at') })),
);

export const migrations: Migration[] = [
  {
    name: '0002-clicks',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('clicks')
        .addColumn('id', idType, idColumn)
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('visitor_hash', 'text')
        .addColumn('clicked_at', bigInteger, (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('order_id', bigInteger),
      schema.createIndex('clicks_by_visitor').on('clicks').columns(['visitor_hash', 'clicked_at']),
      schema
        .createTable('click_days')
        .addColumn('coupon_id', bigInteger, (c) => c.notNull().references('coupons.id'))
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('conversions', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('click_days_key', ['coupon_id', 'day', 'campaign']),
      // Sums of all coupons and of campaigns use these; counting a click changes neither index.
      schema.createIndex('click_days_by_day').on('click_days').column('day'),
      schema
        .createIndex('click_days_by_campaign')
        .on('click_days')
        .columns(['campaign', 'coupon_id', 'day']),
    ],
  },
  {
    // Pruning starts with the oldest clicks.
    name: '0008-clicks-by-time',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('clicks')
        .addColumn('recorded_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.createIndex('clicks_by_time').on('clicks').column('recorded_at'),
    ],
    async fill(tx) {
      await tx.run(copyClickTimes, {});
    },
  },
  {
    // Existing days are not due: the entries of all users are, and include them.
    name: '0010-clicks-roster-due',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('click_days')
        .addColumn('roster_due', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema
        .createIndex('click_days_roster_due')
        .on('click_days')
        .columns(['coupon_id', 'day', 'campaign'])
        .where(sql<boolean>`roster_due = 1`),
    ],
  },
  {
    name: '0011-campaign-days',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('campaign_days')
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('campaign', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('conversions', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('campaign_days_key', ['day', 'campaign']),
    ],
    fill: (tx) =>
      tx.execute(`insert into campaign_days (day, campaign, clicks, conversions)
        select day, campaign, sum(clicks), sum(conversions) from click_days group by day, campaign`),
  },
  {
    name: '0012-landing-days',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('landing_days')
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('path', 'text', (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('landing_days_key', ['day', 'path']),
    ],
  },
  {
    name: '0013-click-months',
    up: (schema, { bigInteger, storedByKey }) => [
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
    fill: (tx) =>
      tx.execute(`insert into click_months (coupon_id, month, clicks, conversions)
        select coupon_id, substr(day, 1, 7), sum(clicks), sum(conversions)
        from click_days group by coupon_id, substr(day, 1, 7)`),
  },
];
