import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { sumsOfDay } from './former-days-migration.ts';

/** Orders are decided when they first count, by terms that are stored. Those of 0.7.0 were decided when they came in. */
export const decided: Migration = {
  name: 'orders/0002-decided',
  up: (schema, { bigInteger, storedByKey }) => [
    schema
      .createTable('terms')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('content', 'text', (c) => c.notNull()),
    schema.alterTable('referrals').addColumn('terms', 'text'),
    schema.alterTable('referrals').addColumn('facts', 'text'),
    schema
      .alterTable('referrals')
      .addColumn('new_customer', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    schema.alterTable('orders').addColumn('decided_at', bigInteger),
    ...columnGroups.counters.map((name) =>
      schema
        .alterTable('coupon_days')
        .addColumn(name, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ),
    // Nearly no commission is held, and an entry without a date costs each order its time.
    schema.dropIndex('referrals_by_release'),
    schema
      .createIndex('referrals_by_release')
      .on('referrals')
      .column('release_at')
      .where(sql.ref('release_at'), 'is not', null),
    // By time, so that the first order of a customer is found without reading the others.
    schema
      .createIndex('orders_by_customer')
      .on('orders')
      .expression(sql`substr(customer_hash, 1, 8), placed_at`)
      .where(sql<boolean>`customer_hash is not null`),
    schema
      .createTable('limited_rewards')
      .addColumn('order_id', bigInteger, (c) => c.notNull())
      .addColumn('coupon_id', bigInteger, (c) => c.notNull())
      .addColumn('rule_id', bigInteger, (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('amount', bigInteger, (c) => c.notNull())
      .addPrimaryKeyConstraint('limited_rewards_key', ['order_id', 'coupon_id', 'rule_id']),
    schema
      .createIndex('limited_rewards_by_subject')
      .on('limited_rewards')
      .columns(['rule_id', 'subject', 'day', 'amount']),
    schema.alterTable('lifetime_customers').addColumn('credited_at', bigInteger),
    schema
      .alterTable('lifetime_customers')
      .addColumn('user_id', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    schema.alterTable('lifetime_customers').addColumn('extended_at', bigInteger),
    schema
      .alterTable('lifetime_customers')
      .addColumn('is_assigned', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    schema
      .createTable('customer_links')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('customer_hash', 'text', (c) => c.notNull())
      .addColumn('mailbox_hash', 'text', (c) => c.notNull()),
    schema
      .alterTable('applied_statuses')
      .addColumn('position_order', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    storedByKey(
      schema
        .createTable('subscription_payments')
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('placed_at', bigInteger, (c) => c.notNull())
        .addColumn('number', bigInteger)
        .addColumn('is_renewal', bigInteger, (c) => c.notNull())
        .addColumn('started_on', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('subscription_payments_key', ['key', 'order_id']),
    ),
    // Which subscriptions are running.
    schema
      .createIndex('subscription_payments_by_time')
      .on('subscription_payments')
      .columns(['placed_at', 'key']),
    schema
      .createIndex('subscription_payments_by_order')
      .on('subscription_payments')
      .column('order_id'),
    schema
      .createTable('waiting_orders')
      .addColumn('order_id', bigInteger, (c) => c.primaryKey())
      .addColumn('store_id', bigInteger, (c) => c.notNull())
      .addColumn('placed_at', bigInteger, (c) => c.notNull())
      .addColumn('stored_at', bigInteger, (c) => c.notNull())
      .addColumn('customer', 'text'),
    schema
      .createIndex('waiting_orders_by_time')
      .on('waiting_orders')
      .columns(['store_id', 'placed_at', 'order_id']),
  ],
  async fill(tx) {
    // Orders that never counted can still be decided.
    await tx.execute(
      `update orders set decided_at = created_at
         where status in ('processing', 'completed', 'refunded')
           or order_id in (select order_id from referrals
                           where counted = 1 or granted <> 0 or awaiting <> 0)`,
    );
    // In the index `orders_by_customer`.
    await tx.execute(
      `update lifetime_customers set
         credited_at =
           (select min(orders.placed_at) from orders
            join referrals on referrals.order_id = orders.order_id
              and referrals.coupon_id = lifetime_customers.coupon_id
            where substr(orders.customer_hash, 1, 8) = substr(lifetime_customers.customer_hash, 1, 8)
              and orders.customer_hash = lifetime_customers.customer_hash),
         user_id =
           coalesce((select user_id from coupons where coupons.id = lifetime_customers.coupon_id), 0)`,
    );
    await tx.execute(
      `update referrals set new_customer = 1
         where order_id in (
           select order_id from orders
           where customer_hash is not null and decided_at is not null
             and status not in ('cancelled', 'failed')
             and not exists (select 1 from orders as earlier
               where substr(earlier.customer_hash, 1, 8) = substr(orders.customer_hash, 1, 8)
                 and earlier.customer_hash = orders.customer_hash
                 and (earlier.placed_at, earlier.order_id) < (orders.placed_at, orders.order_id)
                 and earlier.status not in ('cancelled', 'failed')))`,
    );
    const { counters } = columnGroups;
    await tx.execute(
      `update coupon_days set ${counters.map((name) => `${name} = of_day.${name}`).join(', ')}
       from (select coupon_id, day,
               ${counters.map((name) => `sum(${sumsOfDay[name]}) as ${name}`).join(', ')}
             from referrals where dropped = 0 group by coupon_id, day) as of_day
       where of_day.coupon_id = coupon_days.coupon_id and of_day.day = coupon_days.day`,
    );
  },
};
