import type { Reader, Transaction } from '../../../db/database.ts';
import { collectRows } from '../../../db/statements/collect-rows.ts';
import { byNumber, byText } from '../../../db/statements/keyed-query.ts';
import { removeFrom } from '../../../db/statements/plain-calls.ts';
import type { RowOf } from '../../../db/tables.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { OrderContent } from '../order-content.ts';
import type { PreparedOrder } from '../order-input.ts';
import { byPlace } from '../order-place.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';

type StoredPayment = RowOf<'subscription_payments'>;

/** A payment with the status that its order has now. */
type PaymentRow = StoredPayment & Pick<PreparedOrder, 'status'>;

/** Of an order, what says which payment it is. */
type PaidOrder = Pick<
  PreparedOrder,
  'orderId' | 'storeId' | 'placedAtMs' | 'day' | 'subscription' | 'status'
>;

/** The payment of a subscription that an order is. */
export interface Payment {
  /** 1 for the first. */
  readonly number: number;
  /** The local day on which the subscription began. */
  readonly startedOn: string;
  /** The order of the first payment that is known; the order itself for that one. */
  readonly firstOrderId: number;
}

const paymentsOf = byText<PaymentRow>((db, isKey) =>
  db
    .selectFrom('subscription_payments')
    .innerJoin('orders', 'orders.order_id', 'subscription_payments.order_id')
    .selectAll('subscription_payments')
    .select('orders.status')
    .where(isKey('key')),
);

const referralsOf = byNumber<ReferralRow>((db, isKey) =>
  db.selectFrom('referrals').selectAll().where(isKey('order_id')).orderBy('coupon_id'),
);

const savePayment = collectRows<StoredPayment>('subscription_payments', {
  after: 'referrals',
  on: ['key', 'order_id'],
  set: ['placed_at', 'number', 'is_renewal', 'started_on'],
});

type PaymentKey = Pick<StoredPayment, 'key' | 'order_id'>;

const deletePayment = removeFrom('subscription_payments', 'key', 'order_id');

class FormerPayments implements PendingWrites {
  readonly keys: PaymentKey[] = [];

  async flush(tx: Transaction): Promise<void> {
    for (const key of this.keys) await deletePayment(tx, key);
  }
}

const formerPayments = defineWrites({
  name: 'former-payments',
  after: 'orders',
  create: () => new FormerPayments(),
});

/** The subscriptions that the orders of a transaction pay for, as the orders before have left them. */
export class Subscriptions {
  readonly #payments = new Map<string, PaymentRow[]>();
  /** The referrals of first payments. */
  readonly #referrals = new Map<number, readonly ReferralRow[]>();

  static async read(db: Reader, orders: readonly PaidOrder[]): Promise<Subscriptions> {
    const found = new Subscriptions();
    const keys = new Set<string>();
    for (const order of orders) if (order.subscription) keys.add(keyOf(order));
    if (keys.size === 0) return found;
    const rows = await db.allByKeys(paymentsOf, [...keys]);
    for (const row of rows.sort(byPlace)) {
      const known = found.#payments.get(row.key);
      if (known) known.push(row);
      else found.#payments.set(row.key, [row]);
    }
    const ids = new Set(orders.map(({ orderId }) => orderId));
    const firsts = [...found.#payments.values()].flatMap((known) => firstsOf(known, ids));
    const referrals = await db.allByKeys(referralsOf, [...new Set(firsts)]);
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

  /** Which payment an order is if it counts now; undefined without a subscription. */
  paymentOf(order: PaidOrder): Payment | undefined {
    const { subscription } = order;
    if (!subscription) return undefined;
    const own = rowOf(order);
    const all = [...this.#othersOf(own), own].sort(byPlace);
    const first = firstOf(all);
    let number = 0;
    for (const one of all) {
      number = Math.max(one.number ?? number + 1, one === first && !one.is_renewal ? 1 : 2);
      if (one === own) break;
    }
    const startedOn = subscription.startedOn ?? first.started_on;
    return { number, startedOn, firstOrderId: first.order_id };
  }

  /** Whether an order is known as a payment of its subscription. */
  isPaid(order: PaidOrder): boolean {
    const own = rowOf(order);
    const known = this.#payments.get(own.key) ?? [];
    return known.some((one) => one.order_id === own.order_id && isPayment(one));
  }

  /** Forgets the payment of an order that now names another subscription, or none, or comes from another store. */
  leave(tx: Transaction, order: PaidOrder, { order_id, store_id, content }: OrderRow): void {
    if (!content.includes('"subscription":{')) return;
    // Only orders are stored there.
    const { id } = (JSON.parse(content) as OrderContent).subscription!;
    const key = `${store_id ?? 0} ${id}`;
    if (order.subscription && keyOf(order) === key) return;
    const others = this.#payments.get(key)?.filter((one) => one.order_id !== order_id);
    if (others) this.#payments.set(key, others);
    tx.pending(formerPayments).keys.push({ key, order_id });
  }

  /** Notes a payment that counts, for the orders that follow. */
  note(tx: Transaction, order: PaidOrder): void {
    const row = rowOf(order);
    const others = (this.#payments.get(row.key) ?? []).filter(isOther(row));
    this.#payments.set(row.key, [...others, row].sort(byPlace));
    const { status: _, ...stored } = row;
    savePayment(tx, stored);
  }

  /** Notes the status that an order has now: one that was cancelled is no payment. */
  noteStatus({ orderId, status }: PaidOrder): void {
    for (const [key, known] of this.#payments) {
      if (!known.some(({ order_id }) => order_id === orderId)) continue;
      const now = known.map((one) => (one.order_id === orderId ? { ...one, status } : one));
      this.#payments.set(key, now);
    }
  }

  /** The payments that renew the one of an order; none if it is not the first. */
  renewalsOf(order: PaidOrder): number[] {
    if (this.paymentOf(order)?.firstOrderId !== order.orderId) return [];
    return this.#othersOf(rowOf(order)).map(({ order_id }) => order_id);
  }

  #othersOf(row: PaymentRow): PaymentRow[] {
    return (this.#payments.get(row.key) ?? []).filter(isOther(row)).filter(isPayment);
  }
}

const isOther = (row: PaymentRow) => (one: PaymentRow) => one.order_id !== row.order_id;

/** Payments that may be the first one: orders of the transaction may be cancelled, or placed at another time. */
function firstsOf(known: readonly PaymentRow[], changing: ReadonlySet<number>): number[] {
  const paid = known.filter(isPayment);
  const firsts: number[] = [];
  while (paid.length > 0) {
    const first = firstOf(paid);
    firsts.push(first.order_id);
    if (!changing.has(first.order_id)) break;
    paid.splice(paid.indexOf(first), 1);
  }
  return firsts;
}

function isPayment({ status }: PaymentRow): boolean {
  return status !== 'cancelled' && status !== 'failed';
}

/** The payment that the store calls the first one, else the earliest. */
function firstOf(sorted: readonly PaymentRow[]): PaymentRow {
  return sorted.find(({ number }) => number === 1) ?? sorted[0]!;
}

function rowOf(order: PaidOrder): PaymentRow {
  const { payment, isRenewal, startedOn } = order.subscription!;
  return {
    key: keyOf(order),
    order_id: order.orderId,
    placed_at: order.placedAtMs,
    number: payment,
    is_renewal: isRenewal ? 1 : 0,
    started_on: startedOn ?? order.day,
    status: order.status,
  };
}

function keyOf({ storeId, subscription }: PaidOrder): string {
  return `${storeId ?? 0} ${subscription!.id}`;
}
