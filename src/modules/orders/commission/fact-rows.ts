import { sql } from 'kysely';
import type { Transaction } from '../../../db/database.ts';
import { readAll, readByNumbers } from '../../../db/statements/calls.ts';
import { byText } from '../../../db/statements/keyed-query.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { DayRange } from '../../rewards/index.ts';
import { customerKey } from '../customers/customer-key.ts';
import type { LimitedRewardsTable } from '../tables.ts';

/** The groups of affiliates. */
export const findGroupsOf = readByNumbers<{ user_id: number; group_id: number }>((db, isKey) =>
  db
    .selectFrom('affiliate_groups')
    .select(['user_id', 'group_id'])
    .where(isKey('user_id'))
    .orderBy('group_id'),
);

/** An order of a customer, and whether it was credited to an affiliate. */
export interface CustomerOrder {
  customer_hash: string;
  order_id: number;
  placed_at: number;
  day: string;
  status: string;
  credited: number;
}

/** Whether an order was credited to an affiliate. */
export const creditedColumn = sql<number>`case when exists (select 1 from referrals
  where referrals.order_id = orders.order_id and referrals.dropped = 0) then 1 else 0 end`.as(
  'credited',
);

const byCustomer = (credited: typeof creditedColumn) =>
  byText<CustomerOrder>((db, isKey) =>
    db
      .selectFrom('orders')
      .select(['customer_hash', 'order_id', 'placed_at', 'day', 'status'])
      .select(credited)
      .where(isKey(customerKey('orders')))
      .where('customer_hash', 'is not', null)
      // The index has only customers that are known.
      .$narrowType<{ customer_hash: string }>(),
  );

/** By customer key. */
export const creditedOrdersOf = byCustomer(creditedColumn);
/** The same, as if none was credited, where no rule asks that. */
export const ordersOfCustomers = byCustomer(sql<number>`0`.as('credited'));

/** What a coupon has collected in a window. */
export interface CollectedRow {
  user_id: number;
  coupon_id: number;
  orders: number;
  sales: number;
  commission: number;
  granted_orders: number;
  granted_sales: number;
  granted_commission: number;
}

type CollectedOf = DayRange & { user_ids: string };

const total = (column: string, name: string) =>
  sql<number>`coalesce(sum(${sql.ref(`coupon_days.${column}`)}), 0)`.as(name);

/** The figures of the days of a window, for each coupon of some affiliates. */
export const sumCollected = readAll<CollectedOf, CollectedRow>((db, p, _given, dialect) =>
  db
    .selectFrom('coupons')
    .leftJoin('coupon_days', (join) =>
      join
        .onRef('coupon_days.coupon_id', '=', 'coupons.id')
        .on('coupon_days.day', '>=', p.first)
        .on('coupon_days.day', '<=', p.last),
    )
    .select(['coupons.user_id', 'coupons.id as coupon_id'])
    .select([
      total('orders_count', 'orders'),
      total('total_sales', 'sales'),
      total('total_commission', 'commission'),
      total('granted_orders', 'granted_orders'),
      total('granted_sales', 'granted_sales'),
      total('granted_commission', 'granted_commission'),
    ])
    .where(dialect.inJsonArray('coupons.user_id', p.user_ids, 'number'))
    .groupBy(['coupons.user_id', 'coupons.id'])
    .$narrowType<{ user_id: number }>(),
);

export interface NewCustomersRow {
  user_id: number;
  coupon_id: number;
  counted: number;
  granted: number;
}

/** How many orders of a window are the first of their customer, for each coupon of some affiliates. */
export const countNewCustomers = readAll<CollectedOf, NewCustomersRow>((db, p, _given, dialect) =>
  db
    .selectFrom('coupons')
    .innerJoin('referrals', 'referrals.coupon_id', 'coupons.id')
    .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
    .select(['coupons.user_id', 'coupons.id as coupon_id'])
    .select([
      sql<number>`sum(referrals.counted)`.as('counted'),
      sql<number>`sum(case when referrals.counted = 1
        and (referrals.state = 'granted' or referrals.release_at is not null) then 1 else 0 end)`.as(
        'granted',
      ),
    ])
    .where(dialect.inJsonArray('coupons.user_id', p.user_ids, 'number'))
    .where('referrals.dropped', '=', sql.lit(0))
    .where('referrals.day', '>=', p.first)
    .where('referrals.day', '<=', p.last)
    .where('orders.customer_hash', 'is not', null)
    .where(
      sql<boolean>`not exists (select 1 from orders as earlier
        where ${customerKey('earlier')} = ${customerKey('orders')}
          and earlier.customer_hash = orders.customer_hash
          and (earlier.placed_at, earlier.order_id) < (orders.placed_at, orders.order_id)
          and earlier.status not in ('cancelled', 'failed'))`,
    )
    .groupBy(['coupons.user_id', 'coupons.id'])
    .$narrowType<{ user_id: number }>(),
);

/** What a rule with a limit has earned for some customers or affiliates in a window. */
export const sumLimited = readAll<
  DayRange & { rule_id: number; subjects: string },
  { subject: string; amount: number }
>((db, p, _given, dialect) =>
  db
    .selectFrom('limited_rewards')
    .select((eb) => ['subject', eb.fn.sum<number>('amount').as('amount')])
    .where('rule_id', '=', p.rule_id)
    .where(dialect.inJsonArray('subject', p.subjects, 'text'))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('subject'),
);

export type LimitedReward = LimitedRewardsTable;

export const findLimitedOf = readByNumbers<LimitedReward>((db, isKey) =>
  db.selectFrom('limited_rewards').selectAll().where(isKey('order_id')),
);

class PendingLimited implements PendingWrites {
  readonly rows = new Map<string, LimitedReward>();

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(upsertLimited, [...this.rows.values()]);
  }
}

const upsertLimited = insertRows<LimitedReward>('limited_rewards', {
  on: ['order_id', 'coupon_id', 'rule_id'],
  set: ['subject', 'day', 'amount'],
});

const limited = defineWrites({
  name: 'limited-rewards',
  after: 'referrals',
  create: () => new PendingLimited(),
});

/** Saves what a rule with a limit earns for a referral; the last version is the one that is written. */
export function saveLimited(tx: Transaction, row: LimitedReward): void {
  tx.pending(limited).rows.set(`${row.order_id} ${row.coupon_id} ${row.rule_id}`, row);
}
