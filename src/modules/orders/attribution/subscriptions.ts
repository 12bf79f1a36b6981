import type { Transaction } from '../../../db/database.ts';
import { byNumber, byText } from '../../../db/statements/keyed-query.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import type { SubscriptionsTable } from '../tables.ts';

type Subscription = SubscriptionsTable;

/** The payment of a subscription that an order is. */
export interface Payment {
  /** 1 for the first. */
  readonly number: number;
  /** The local day on which the subscription began. */
  readonly startedOn: string;
  /** The order of the first payment that is known; the order itself for that one. */
  readonly firstOrderId: number;
}

const byKey = byText<Subscription>((db, isKey) =>
  db.selectFrom('subscriptions').selectAll().where(isKey('key')),
);

const referralsOf = byNumber<ReferralRow>((db, isKey) =>
  db.selectFrom('referrals').selectAll().where(isKey('order_id')).orderBy('coupon_id'),
);

class PendingSubscriptions implements PendingWrites {
  readonly rows = new Map<string, Subscription>();

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(upsert, [...this.rows.values()]);
  }
}

/** A subscription stays with its first payment. */
const upsert = insertRows<Subscription>('subscriptions', {
  on: ['key'],
  set: ['payments', 'last_order_id', 'last_paid_at'],
});

const subscriptions = defineWrites({
  name: 'subscriptions',
  after: 'referrals',
  create: () => new PendingSubscriptions(),
});

/** The subscriptions that the orders of a transaction pay for, as the orders before have left them. */
export class Subscriptions {
  readonly #known = new Map<string, Subscription>();
  /** The referrals of first payments, of orders that are not in this transaction. */
  readonly #referrals = new Map<number, readonly ReferralRow[]>();

  static async read(tx: Transaction, orders: readonly PreparedOrder[]): Promise<Subscriptions> {
    const found = new Subscriptions();
    const keys = new Set<string>();
    for (const order of orders) if (order.subscription) keys.add(keyOf(order));
    if (keys.size === 0) return found;
    const rows = await tx.allByKeys(byKey, [...keys]);
    for (const row of rows) found.#known.set(row.key, row);
    const firstOrders = new Set(rows.map(({ order_id }) => order_id));
    const referrals = await tx.allByKeys(referralsOf, [...firstOrders]);
    for (const [id, own] of Map.groupBy(referrals, ({ order_id }) => order_id)) {
      found.#referrals.set(id, own);
    }
    return found;
  }

  /** All referrals of first payments. */
  referrals(): ReferralRow[] {
    return [...this.#referrals.values()].flat();
  }

  referralsOf(orderId: number): readonly ReferralRow[] {
    return this.#referrals.get(orderId) ?? [];
  }

  /**
   * Which payment an order is; undefined without a subscription. A new order is noted for the orders that follow;
   * another version of a known one is the payment that it was.
   */
  pay(tx: Transaction, order: PreparedOrder, isNew: boolean): Payment | undefined {
    const { subscription, orderId, day, placedAtMs } = order;
    if (!subscription) return undefined;
    const key = keyOf(order);
    const known = this.#known.get(key);
    const isFirstKnown = !known || known.order_id === orderId;
    const next = (known?.payments ?? 0) + (isNew ? 1 : 0);
    const counted = isFirstKnown ? 1 : next;
    const number = subscription.payment ?? Math.max(counted, subscription.isRenewal ? 2 : 1);
    const startedOn = subscription.startedOn ?? known?.started_on ?? day;
    const firstOrderId = known?.order_id ?? orderId;
    if (isNew) {
      const row = {
        key,
        order_id: firstOrderId,
        started_on: known?.started_on ?? startedOn,
        payments: Math.max(known?.payments ?? 0, number),
        last_order_id: orderId,
        last_paid_at: placedAtMs,
      };
      this.#known.set(key, row);
      tx.pending(subscriptions).rows.set(key, row);
    }
    return { number, startedOn, firstOrderId };
  }
}

function keyOf({ storeId, subscription }: PreparedOrder): string {
  return `${storeId ?? 0} ${subscription!.id}`;
}
