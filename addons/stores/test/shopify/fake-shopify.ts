import { createHmac, randomUUID } from 'node:crypto';
import type { RawDelivery } from '../../connectors/connector.ts';
import { openFakeApi, type ApiAnswer, type ApiRequest, type FakeApi } from '../fake-api.ts';
import { FakeDiscounts } from './fake-discounts.ts';
import { FakeGraphql, GRAPHQL_PATH, lacksScope, withholds } from './fake-graphql.ts';
import {
  orderJson,
  refundedOf,
  refundJson,
  totalOf,
  worthOf,
  type FakeLine,
  type FakeOrder,
  type FakeRefund,
} from './fake-orders.ts';
import { createWebhook, type NewWebhook, type Webhook } from './fake-webhooks.ts';
import { connection } from './graphql-connection.ts';
import { graphqlOrder, type Access } from './graphql-order.ts';
import { changedSince, pageOfOrders, type OrdersPage } from './graphql-orders-page.ts';

export const CLIENT = {
  client_id: '0123456789abcdef0123456789abcdef',
  client_secret: 'fedcba9876543210fedcba9876543210',
};
const FIRST_ID = 5_814_203_449_562;
const SHOWN_MS = 60 * 86_400_000;

/**
 * A shop of Shopify with an app of the Dev Dashboard: tokens for a day, and the GraphQL Admin API with its costs. Most
 * changes move its clock by some seconds.
 */
export class FakeShopify {
  readonly api: FakeApi;
  readonly orders = new Map<number, FakeOrder>();
  webhooks: Webhook[] = [];
  plan = 'Grow';
  scopes = ['read_orders', 'read_all_orders', 'read_customers', 'read_products', 'write_discounts'];
  readonly #access: Access = {
    requireScope: (scope, field) => {
      if (!this.scopes.includes(scope)) throw lacksScope(scope, field);
    },
    requirePersonalData: (field) => {
      if (this.plan === 'Basic') throw withholds(field);
    },
  };
  readonly #discounts = new FakeDiscounts(this.#access);
  readonly graphql = new FakeGraphql(this.#root());
  /** As GraphQL has them, by id. */
  readonly products = new Map<string, object>();
  pageSizeMax = 250;
  nowMs = Date.parse('2026-09-14T15:00:00Z');
  /** Deliveries that wait to be sent, in the order of the changes. */
  queue: RawDelivery[] = [];
  /** The orders of the query that is being answered. */
  readonly #resolved = new Map<FakeOrder, Record<string, any>>();
  #token = '';
  #nextId = FIRST_ID;

  private constructor(open: (answer: (request: ApiRequest) => ApiAnswer) => FakeApi) {
    this.api = open((request) => this.#answer(request));
  }

  get discounts() {
    return this.#discounts.all;
  }

  static async open(): Promise<FakeShopify> {
    let answer: (request: ApiRequest) => ApiAnswer = () => ({ status: 503, body: {} });
    const api = await openFakeApi((request) => answer(request));
    return new FakeShopify((own) => {
      answer = own;
      return api;
    });
  }

  /** Makes the tokens invalid that were given out. */
  revoke(): void {
    this.#token = '';
  }

  place(
    given: {
      code?: string;
      ref?: string;
      quantity?: number;
      /** Of them, the first two have prices and products of their own. */
      lineCount?: number;
      paid?: boolean;
      fields?: Record<string, unknown>;
    } = {},
  ): FakeOrder {
    const id = this.#id();
    const at = this.#tick();
    const line = (product: number, price: number, quantity: number) => ({
      id: this.#id(),
      product,
      price,
      quantity,
    });
    const order: FakeOrder = {
      id,
      createdMs: at,
      updatedMs: at,
      code: given.code ?? null,
      ref: given.ref ?? null,
      paid: given.paid ?? true,
      shipped: false,
      cancelled: false,
      lines: [
        line(101, 8_000, given.quantity ?? 2),
        line(102, 4_050, 1),
        ...Array.from({ length: (given.lineCount ?? 2) - 2 }, (_, i) => line(103 + i, 100, 1)),
      ],
      shipping: 990,
      refunds: [],
      fields: given.fields ?? {},
    };
    this.orders.set(id, order);
    this.#send('orders/create', orderJson(order));
    return order;
  }

  change(
    order: FakeOrder,
    change: Partial<Pick<FakeOrder, 'paid' | 'shipped' | 'cancelled'>>,
  ): void {
    Object.assign(order, change);
    this.#touch(order);
    if (change.cancelled) this.#send('orders/cancelled', orderJson(order));
  }

  /** Takes back pieces of the first line. `amount` of cents is paid back; by default what they are worth. */
  refund(order: FakeOrder, quantity: number, amount?: number | null): void {
    const [line] = order.lines;
    this.#refund(order, quantity === 0 ? [] : [{ line: line!, quantity }], amount);
  }

  /** Takes back one piece of each of these lines. */
  refundLines(order: FakeOrder, lines: readonly FakeLine[]): void {
    this.#refund(
      order,
      lines.map((line) => ({ line, quantity: 1 })),
    );
  }

  #refund(order: FakeOrder, lines: FakeRefund['lines'], amount?: number | null): void {
    const worth = worthOf(order, { lines });
    const paid =
      amount === null ? null : Math.min(amount ?? worth, totalOf(order) - refundedOf(order));
    const refund: FakeRefund = { id: this.#id(), atMs: this.#tick(), lines, amount: paid };
    order.refunds.push(refund);
    this.#send('refunds/create', refundJson(order, refund));
    this.#touch(order);
  }

  delete(order: FakeOrder): void {
    this.orders.delete(order.id);
    this.#send('orders/delete', { id: order.id });
  }

  /** A delivery as Shopify signs it. */
  delivery(
    topic: string,
    content: object,
    { key = CLIENT.client_secret, prefix = 'x-shopify-' } = {},
  ): RawDelivery {
    const body = Buffer.from(JSON.stringify(content));
    return {
      body,
      headers: {
        'content-type': 'application/json',
        [`${prefix}topic`]: topic,
        [`${prefix}hmac-sha256`]: createHmac('sha256', key).update(body).digest('base64'),
        [`${prefix}webhook-id`]: randomUUID(),
        [`${prefix}triggered-at`]: new Date(this.nowMs).toISOString(),
      },
    };
  }

  #touch(order: FakeOrder): void {
    order.updatedMs = this.#tick();
    this.#send('orders/updated', orderJson(order));
  }

  #send(topic: string, content: object): void {
    this.queue.push(this.delivery(topic, content));
  }

  /** Some changes follow within the same second, which is all that a time of Shopify tells. */
  #tick(): number {
    return (this.nowMs += this.#nextId % 3 === 0 ? 0 : 2_000);
  }

  #id(): number {
    return this.#nextId++;
  }

  #answer(request: ApiRequest): ApiAnswer {
    const { method, path, headers } = request;
    if (path === '/admin/oauth/access_token') return this.#grant(request);
    if (this.#token === '' || headers['x-shopify-access-token'] !== this.#token) {
      return { status: 401, body: { errors: '[API] Invalid API key or access token' } };
    }
    if (method !== 'POST' || path !== GRAPHQL_PATH) {
      return { status: 404, body: { errors: 'Not Found' } };
    }
    this.#resolved.clear();
    return { body: this.graphql.answer(request.body) };
  }

  #grant({ body }: ApiRequest): ApiAnswer {
    const form = new URLSearchParams(body);
    const isOwn = Object.entries(CLIENT).every(([name, value]) => form.get(name) === value);
    if (!isOwn) return { status: 400, body: { error: 'invalid_client' } };
    this.#token = `shpat_${randomUUID()}`;
    return { body: { access_token: this.#token, scope: this.scopes.join(), expires_in: 86_399 } };
  }

  /** What the queries and mutations of the schema answer. */
  #root(): object {
    return {
      shop: () => ({
        id: 'gid://shopify/Shop/548380009',
        name: 'Northern Trail',
        currencyCode: 'USD',
        plan: { publicDisplayName: this.plan },
      }),
      currentAppInstallation: () => ({ accessScopes: this.scopes.map((handle) => ({ handle })) }),
      order: ({ id }: { id: string }) => this.#node(id),
      orders: (page: OrdersPage) =>
        pageOfOrders(this.#shown(), page, this.pageSizeMax, (order) => this.#graphqlOrder(order)),
      ordersCount: ({ query }: OrdersPage) => ({
        count: changedSince(this.#shown(), query).length,
      }),
      node: ({ id }: { id: string }) => this.#node(id),
      nodes: ({ ids }: { ids: string[] }) => ids.map((id) => this.#node(id)),
      webhookSubscriptions: ({ uri, ...page }: { uri: string; first: number; after?: string }) =>
        connection(this.webhooks.filter((webhook) => webhook.uri === uri))(page),
      webhookSubscriptionCreate: (given: NewWebhook) =>
        createWebhook(this.webhooks, given, this.#id()),
      webhookSubscriptionDelete: ({ id }: { id: string }) => {
        this.webhooks = this.webhooks.filter((webhook) => webhook.id !== id);
        return { deletedWebhookSubscriptionId: id, userErrors: [] };
      },
      ...this.#discounts.root(),
    };
  }

  #node(id: string): object | null {
    const [, type, number] = /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(id) ?? [];
    if (type === 'Product') {
      this.#access.requireScope('read_products', 'nodes');
      const product = this.products.get(id);
      return product ? { __typename: type, id, ...product } : null;
    }
    for (const order of this.orders.values()) {
      if (!this.#isShown(order)) continue;
      if (type === 'Order' && order.id === Number(number)) return this.#graphqlOrder(order);
      if (type !== 'Refund' || (order.refunds.length === 0 && !order.fields['refunds'])) continue;
      const refund = this.#graphqlOrder(order)['refunds'].find((each: any) => each.id === id);
      if (refund) return refund;
    }
    return null;
  }

  #graphqlOrder(order: FakeOrder): Record<string, any> {
    const known = this.#resolved.get(order) ?? graphqlOrder(orderJson(order), this.#access);
    this.#resolved.set(order, known);
    return known;
  }

  #shown(): FakeOrder[] {
    return [...this.orders.values()].filter((order) => this.#isShown(order));
  }

  /** Older orders are answered like those that do not exist, unless the app may read all. */
  #isShown({ createdMs }: FakeOrder): boolean {
    return this.scopes.includes('read_all_orders') || this.nowMs - createdMs <= SHOWN_MS;
  }
}
