import type { Transaction } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { Point } from '../../../kernel/declare/point.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { isPaidOrder } from '../commission/order-facts.ts';
import type { OrderRow } from '../order-rows.ts';
import { customerKey, customerKeyOf } from './customer-key.ts';

/** Runs when another order of a customer may be the first now: that order, or a later one than `day`. */
type CustomerHook = (customerKey: string, day: string) => void;

/** Undefined while nothing depends on which order of a customer is the first. */
type PrepareCustomerHook = (tx: Transaction, site: Site) => Promise<CustomerHook | undefined>;

export const customerHooks = new Point<PrepareCustomerHook>('orders.customer-hooks');

const FIRST_DAY = '0000-01-01';

/** Finds the changes of a transaction that may make another order the first of its customer. */
export class FirstOrders {
  readonly #hooks: readonly CustomerHook[];

  static async begin(tx: Transaction, site: Site): Promise<FirstOrders> {
    const hooks = site.registry.contributions(customerHooks);
    const prepared = await Promise.all(hooks.map((prepare) => prepare(tx, site)));
    return new FirstOrders(prepared.filter((hook) => hook !== undefined));
  }

  private constructor(hooks: readonly CustomerHook[]) {
    this.#hooks = hooks;
  }

  get areAsked(): boolean {
    return this.#hooks.length > 0;
  }

  noteOrder(before: OrderRow | undefined, after: OrderRow): void {
    if (!this.areAsked || placeOf(before) === placeOf(after)) return;
    const day = before && before.day < after.day ? before.day : after.day;
    for (const hash of new Set([before?.customer_hash, after.customer_hash])) {
      if (hash) this.#note(hash, day);
    }
  }

  /** All orders of one customer now belong to another one. */
  noteMove(from: string, to: string): void {
    this.#note(from, FIRST_DAY);
    this.#note(to, FIRST_DAY);
  }

  #note(hash: string, day: string): void {
    for (const hook of this.#hooks) hook(customerKeyOf(hash), day);
  }
}

/** The place of an order among those of its customer; empty if it is none of them. */
function placeOf(order: OrderRow | undefined): string {
  if (!order || order.customer_hash === null || !isPaidOrder(order)) return '';
  return `${order.customer_hash} ${order.placed_at}`;
}

/** The owners and days of the orders of customers, from a day on. */
export const creditedToCustomers = readAll<
  { keys: string; first: string },
  { key: string; user_id: number; day: string }
>((db, p, _given, dialect) =>
  db
    .selectFrom('orders')
    .innerJoin('referrals', 'referrals.order_id', 'orders.order_id')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .select([customerKey('orders').as('key'), 'coupons.user_id', 'referrals.day'])
    .distinct()
    .where(dialect.inJsonArray(customerKey('orders'), p.keys, 'text'))
    .where('orders.customer_hash', 'is not', null)
    .where('orders.day', '>=', p.first)
    .where('coupons.user_id', 'is not', null)
    .$narrowType<{ user_id: number }>(),
);
