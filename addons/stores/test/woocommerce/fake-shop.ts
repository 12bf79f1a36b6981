import { createHash, createHmac } from 'node:crypto';
import type { RawDelivery } from '../../connectors/connector.ts';
import { orderJson, refundedOf, rounded, totalOf, type FakeOrder } from './fake-orders.ts';

export interface FakeWebhook {
  readonly id: number;
  name: string;
  topic: string;
  status: 'active' | 'paused' | 'disabled';
  deliveryUrl: string;
  secret: string;
  failures: number;
}

export interface FakeCoupon {
  readonly id: number;
  readonly code: string;
  readonly amount: string;
  readonly discountType: string;
  dateExpires: string | null;
  meta: { key: string; value: unknown }[];
}

export interface Sent extends RawDelivery {
  readonly url: string;
}

/**
 * The state of a WooCommerce shop, with the behaviour of a real one: deliveries wait in a queue and show the order at
 * the moment of sending, nothing is retried, and the seventh failure in a row disables a webhook. Its clock advances
 * with every change, by two seconds by default.
 */
export class FakeShop {
  readonly orders = new Map<number, FakeOrder>();
  readonly webhooks = new Map<number, FakeWebhook>();
  readonly coupons = new Map<number, FakeCoupon>();
  /** As the REST API has them. */
  readonly products = new Map<number, Record<string, unknown>>();
  categories: Record<string, unknown>[] = [];
  /** Products that WPML lists only for all languages. */
  readonly otherLanguage = new Set<number>();
  /** Of WooCommerce Subscriptions, as its REST API has them; undefined without the plugin. */
  subscriptions: Map<number, Record<string, unknown>> | undefined;
  /** The shop shows no decimals: amounts are rounded, in deliveries always, and in the API without `dp`. */
  hidesDecimals = false;
  nowMs: number;
  #nextId = 100;
  #queue: { topic: string; id: number }[] = [];

  constructor(startMs: number) {
    this.nowMs = Math.floor(startMs / 1000) * 1000;
  }

  nextId(): number {
    return this.#nextId++;
  }

  tick(seconds = 2): number {
    this.nowMs += seconds * 1000;
    return this.nowMs;
  }

  place({
    codes = [],
    status = 'processing',
    quantity = 2,
    landing,
    email = 'guest@mail.example',
    fields = {},
  }: {
    codes?: readonly string[];
    status?: string;
    quantity?: number;
    landing?: string;
    email?: string;
    fields?: Record<string, unknown>;
  } = {}): FakeOrder {
    const id = this.nextId();
    const createdMs = this.tick();
    const line = (at: number, productId: number, pieces: number, price: number) => ({
      id: id * 100 + at,
      productId,
      quantity: pieces,
      subtotal: pieces * price,
      total: Math.round(pieces * price * 0.9),
      tax: Math.round(pieces * price * 0.9 * 0.0825),
    });
    const order: FakeOrder = {
      id,
      createdMs,
      modifiedMs: createdMs,
      status,
      statusBeforeTrash: status,
      paidMs: status === 'pending' ? undefined : createdMs,
      email,
      landing,
      codes,
      lines: [line(1, 10, quantity, 2_000), line(2, 11, 1, 1_337)],
      shipping: 590,
      refunds: [],
      fields,
    };
    this.orders.set(id, order);
    // At the checkout the change is sent before the creation.
    this.#enqueue('order.updated', id);
    this.#enqueue('order.created', id);
    return order;
  }

  setStatus(id: number, status: string): void {
    const order = this.#touch(id);
    order.status = status;
    if (status !== 'pending' && status !== 'failed') order.paidMs ??= this.nowMs;
    const left = totalOf(order) - refundedOf(order);
    if (status === 'refunded' && left > 0) this.#addRefund(order, left, [], 0);
  }

  setQuantity(id: number, quantity: number): void {
    const [line] = this.#touch(id).lines;
    line!.quantity = quantity;
  }

  setCodes(id: number, codes: readonly string[]): void {
    this.#touch(id).codes = codes;
  }

  /** A refund by amount only; a refund of everything makes the order refunded. */
  refundAmount(id: number, amount: number): void {
    const order = this.#touch(id);
    const most = Math.min(amount, totalOf(order) - refundedOf(order));
    if (most > 0) this.#addRefund(order, most, [], 0);
  }

  /** Takes back one piece of the first line with its tax, or only money without a piece, and the shipping. */
  refundLine(id: number, { quantity = 1, shipping = 0 } = {}): void {
    const order = this.#touch(id);
    const [line] = order.lines;
    const total = Math.round(line!.total / Math.max(1, line!.quantity));
    const tax = Math.round(total * 0.0825);
    const amount = total + tax + shipping;
    if (amount > totalOf(order) - refundedOf(order)) return;
    this.#addRefund(order, amount, [{ lineId: line!.id, quantity, total, tax }], shipping);
  }

  #addRefund(
    order: FakeOrder,
    amount: number,
    lines: FakeOrder['refunds'][number]['lines'],
    shipping: number,
  ): void {
    order.refunds.push({ id: this.nextId(), createdMs: this.nowMs, amount, lines, shipping });
    if (refundedOf(order) >= totalOf(order)) order.status = 'refunded';
  }

  /** Sends nothing, and leaves the time of change alone. */
  deleteRefund(id: number): void {
    this.orders.get(id)?.refunds.pop();
  }

  trash(id: number): void {
    const order = this.#require(id);
    if (order.status === 'trash') return;
    order.statusBeforeTrash = order.status;
    order.status = 'trash';
    order.modifiedMs = this.tick();
    this.#enqueue('order.deleted', id);
  }

  restore(id: number): void {
    const order = this.#require(id);
    if (order.status !== 'trash') return;
    order.status = order.statusBeforeTrash;
    order.modifiedMs = this.tick();
    this.#enqueue('order.restored', id);
  }

  /** Sends nothing by itself; what waits in the queue is sent as an error. */
  deleteForGood(id: number): void {
    this.orders.delete(id);
  }

  #require(id: number): FakeOrder {
    const order = this.orders.get(id);
    if (!order) throw new Error(`The fake shop has no order ${id}`);
    return order;
  }

  #touch(id: number): FakeOrder {
    const order = this.#require(id);
    order.modifiedMs = this.tick();
    this.#enqueue('order.updated', id);
    return order;
  }

  /** Changes that wait are merged: each topic is sent once per order. */
  #enqueue(topic: string, id: number): void {
    if (this.#queue.some((one) => one.topic === topic && one.id === id)) return;
    this.#queue.push({ topic, id });
  }

  /** What the queue sends now, signed, for every active webhook. */
  takeQueue(source: string): (Sent & { webhook: FakeWebhook })[] {
    const queue = this.#queue;
    this.#queue = [];
    return queue.flatMap(({ topic, id }) =>
      [...this.webhooks.values()]
        .filter((webhook) => webhook.topic === topic && webhook.status === 'active')
        .map((webhook) => ({ ...this.#delivery(webhook, topic, id, source), webhook })),
    );
  }

  #delivery(webhook: FakeWebhook, topic: string, id: number, source: string): Sent {
    const order = this.orders.get(id);
    const content =
      topic === 'order.deleted'
        ? { id }
        : order
          ? this.hidesDecimals
            ? rounded(orderJson(order))
            : orderJson(order)
          : {
              code: 'woocommerce_rest_shop_order_invalid_id',
              message: 'Invalid ID.',
              data: { status: 404 },
            };
    const body = Buffer.from(JSON.stringify(content));
    const [resource = '', event = ''] = topic.split('.');
    return {
      url: webhook.deliveryUrl,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'WooCommerce/10.9.1 Hookshot (WordPress/7.1)',
        'x-wc-webhook-source': `${source}/`,
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-resource': resource,
        'x-wc-webhook-event': event,
        'x-wc-webhook-signature': createHmac('sha256', webhook.secret)
          .update(body)
          .digest('base64'),
        'x-wc-webhook-id': String(webhook.id),
        // The same for all deliveries of a webhook within a second.
        'x-wc-webhook-delivery-id': createHash('md5')
          .update(`${webhook.id} ${Math.floor(this.nowMs / 1000)}`)
          .digest('hex'),
      },
    };
  }

  /** Six failures are tolerated; the count stays when the webhook is activated again. */
  settle(webhook: FakeWebhook, isSuccess: boolean): void {
    if (isSuccess) {
      webhook.failures = 0;
    } else if (webhook.failures >= 6) {
      webhook.status = 'disabled';
    } else {
      webhook.failures += 1;
    }
  }
}
