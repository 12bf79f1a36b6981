import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Migration } from '../../db/migrator.ts';
import { readAll } from '../../db/statements/calls.ts';
import { insertPayments } from './attribution/subscriptions.ts';
import type { OrderContent } from './order-content.ts';

/** Orders are decided when they first count. Orders so far were decided when they came in. */
export const decided: Migration = {
  name: 'orders/0006-decided',
  up: (schema, { bigInteger, storedByKey }) => [
    schema.alterTable('orders').addColumn('decided_at', bigInteger),
    schema
      .alterTable('referrals')
      .addColumn('new_customer', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ...['earning_orders', 'earning_sales', 'new_customers', 'granted_customers'].map((name) =>
      schema
        .alterTable('coupon_days')
        .addColumn(name, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ),
    schema
      .alterTable('applied_statuses')
      .addColumn('position_order', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    schema
      .alterTable('lifetime_customers')
      .addColumn('user_id', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    schema.alterTable('lifetime_customers').addColumn('extended_at', bigInteger),
    schema
      .alterTable('lifetime_customers')
      .addColumn('is_assigned', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    // By time, so that the first order of a customer is found without reading the others.
    schema.dropIndex('orders_by_customer'),
    schema
      .createIndex('orders_by_customer')
      .on('orders')
      .expression(sql`substr(customer_hash, 1, 8), placed_at`)
      .where(sql<boolean>`customer_hash is not null`),
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
    // Orders were decided when they came in; those that never counted can still be.
    await tx.execute(
      `update orders set decided_at = created_at
         where status in ('processing', 'completed', 'refunded')
           or order_id in (select order_id from referrals
                           where counted = 1 or granted <> 0 or awaiting <> 0)`,
    );
    await tx.execute(
      `update lifetime_customers set user_id =
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
    await tx.execute(
      `update coupon_days set earning_orders = earning.orders, earning_sales = earning.sales,
           new_customers = earning.customers, granted_customers = earning.granted_customers
         from (select coupon_id, day, count(*) as orders, sum(sales) as sales,
                 sum(new_customer) as customers,
                 sum(case when state = 'granted' or release_at is not null
                   then new_customer else 0 end) as granted_customers
               from referrals
               where dropped = 0 and counted = 1 and state <> 'void'
               group by coupon_id, day) as earning
         where earning.coupon_id = coupon_days.coupon_id and earning.day = coupon_days.day`,
    );
    await storePayments(tx);
    await tx.execute('drop table subscriptions');
  },
};

interface PaidOrder {
  order_id: number;
  placed_at: number;
  day: string;
  store_id: number | null;
  content: string;
  started_on: string | null;
}

const SLICE = 1_000;

/** Orders of subscriptions that were decided, with the beginning that the former table had for the first of them. */
const paidOrders = readAll<{ after: number; limit: number }, PaidOrder>((db, p) => {
  const statement = sql<PaidOrder>`
    select orders.order_id, orders.placed_at, orders.day, orders.store_id, orders.content,
      (select subscriptions.started_on from subscriptions
       where subscriptions.order_id = orders.order_id) as started_on
    from orders
    where orders.order_id > ${p.after} and orders.decided_at is not null
      and orders.content like '%"subscription":{%'
    order by orders.order_id limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
});

/** Stores one row for each payment of a subscription, from the stored orders. Only a migration needs it. */
async function storePayments(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const orders = await paidOrders(tx, { after, limit: SLICE });
    const rows = orders.flatMap(({ order_id, placed_at, day, store_id, content, started_on }) => {
      // Only orders are stored there.
      const { subscription } = JSON.parse(content) as OrderContent;
      if (!subscription) return [];
      return {
        key: `${store_id ?? 0} ${subscription.id}`,
        order_id,
        placed_at,
        number: subscription.payment ?? null,
        is_renewal: subscription.renewal ? 1 : 0,
        started_on: started_on ?? day,
      };
    });
    await tx.runMany(insertPayments, rows);
    if (orders.length < SLICE) return;
    after = orders.at(-1)!.order_id;
  }
}
