import { createHmac, randomUUID } from 'node:crypto';
import type { RawDelivery } from '../../../src/addons/stores/connectors/connector.ts';
import { openFakeApi, type ApiAnswer, type ApiRequest, type FakeApi } from '../fake-api.ts';
import {
  orderJson,
  refundedOf,
  refundJson,
  totalOf,
  worthOf,
  type FakeOrder,
  type FakeRefund,
} from './fake-orders.ts';

export const CLIENT = {
  client_id: 'client-id-of-the-app',
  client_secret: 'client-secret-of-the-app',
};
const FIRST_ID = 5_814_203_449_562;
const SHOWN_MS = 60 * 86_400_000;
const API = /^\/admin\/api\/\d{4}-\d{2}(\/.+)$/;

interface Webhook {
  readonly id: number;
  readonly topic: string;
  readonly address: string;
}

interface Discount {
  readonly id: string;
  readonly code: string;
  readonly value: unknown;
  active: boolean;
}

/**
 * A shop of Shopify with an app of the Dev Dashboard: tokens for a day, pages by `Link`, webhooks that are removed
 * when they fail, discount codes by GraphQL. Most changes move its clock by some seconds.
 */
export class FakeShopify {
  readonly api: FakeApi;
  readonly orders = new Map<number, FakeOrder>();
  webhooks: Webhook[] = [];
  readonly discounts: Discount[] = [];
  plan = 'professional';
  scopes = ['read_orders', 'read_all_orders', 'write_discounts', 'read_products'];
  /** As GraphQL has them, by id. */
  readonly products = new Map<string, object>();
  pageSizeMax = 250;
  nowMs = Date.parse('2026-09-14T15:00:00Z');
  /** Deliveries that wait to be sent, in the order of the changes. */
  queue: RawDelivery[] = [];
  #token = '';
  #nextId = FIRST_ID;

  private constructor(open: (answer: (request: ApiRequest) => ApiAnswer) => FakeApi) {
    this.api = open((request) => this.#answer(request));
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
      lines: [line(101, 8_000, given.quantity ?? 2), line(102, 4_050, 1)],
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
    const lines = quantity === 0 ? [] : [{ line: line!, quantity }];
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
    if (path === '/admin/oauth/access_scopes.json') {
      return { body: { access_scopes: this.scopes.map((handle) => ({ handle })) } };
    }
    const own = API.exec(path)?.[1] ?? '';
    const [, resource = '', rest = ''] = own.split('/');
    const id = Number(rest.replace('.json', ''));
    switch (`${method} ${resource}`) {
      case 'GET shop.json':
        return {
          body: {
            shop: {
              id: 548380009,
              name: 'Northern Trail',
              currency: 'USD',
              plan_name: this.plan,
            },
          },
        };
      case 'GET orders.json':
        return this.#list(request);
      case 'GET orders':
        return rest === 'count.json' ? { body: { count: this.orders.size } } : this.#order(id);
      case 'GET webhooks.json':
        return { body: { webhooks: this.webhooks } };
      case 'POST webhooks.json':
        return this.#createWebhook(JSON.parse(request.body).webhook);
      case 'DELETE webhooks':
        this.webhooks = this.webhooks.filter((webhook) => webhook.id !== id);
        return { body: {} };
      case 'POST graphql.json':
        return { body: this.#graphql(JSON.parse(request.body)) };
      default:
        return { status: 404, body: { errors: 'Not Found' } };
    }
  }

  #grant({ body }: ApiRequest): ApiAnswer {
    const form = new URLSearchParams(body);
    const isOwn = Object.entries(CLIENT).every(([name, value]) => form.get(name) === value);
    if (!isOwn) return { status: 400, body: { error: 'invalid_client' } };
    this.#token = `shpat_${randomUUID()}`;
    return { body: { access_token: this.#token, scope: this.scopes.join(), expires_in: 86_399 } };
  }

  /** By last change, oldest first. A page is named by the change and the id of the last order before it. */
  #list({ query }: ApiRequest): ApiAnswer {
    const page = query.get('page_info');
    if (page !== null && query.has('updated_at_min')) {
      return { status: 400, body: { errors: 'page_info must be the only filter' } };
    }
    const [sinceMs, afterId] =
      page === null ? [Date.parse(query.get('updated_at_min')!), 0] : page.split('.').map(Number);
    const limit = Math.min(Number(query.get('limit')), this.pageSizeMax);
    const changed = [...this.orders.values()]
      .filter((order) => this.#isShown(order))
      .filter(
        ({ id, updatedMs }) => updatedMs > sinceMs! || (updatedMs === sinceMs && id > afterId!),
      )
      .sort((a, b) => a.updatedMs - b.updatedMs || a.id - b.id);
    const listed = changed.slice(0, limit);
    const last = listed.at(-1);
    const url = `${this.api.url}/admin/api/2026-07/orders.json?limit=${limit}&page_info=`;
    const links = [`<${url}before>; rel="previous"`];
    if (changed.length > limit) links.push(`<${url}${last!.updatedMs}.${last!.id}>; rel="next"`);
    return { headers: { link: links.join(', ') }, body: { orders: listed.map(orderJson) } };
  }

  #order(id: number): ApiAnswer {
    const order = this.orders.get(id);
    if (!order || !this.#isShown(order)) return { status: 404, body: { errors: 'Not Found' } };
    return { body: { order: orderJson(order) } };
  }

  /** Older orders are answered like those that do not exist, unless the app may read all. */
  #isShown({ createdMs }: FakeOrder): boolean {
    return this.scopes.includes('read_all_orders') || this.nowMs - createdMs <= SHOWN_MS;
  }

  #createWebhook({ topic, address }: Webhook): ApiAnswer {
    const exists = this.webhooks.some((one) => one.topic === topic && one.address === address);
    if (exists) return { status: 422, body: { errors: { address: ['has been taken'] } } };
    const webhook = { id: this.#id(), topic, address };
    this.webhooks.push(webhook);
    return { status: 201, body: { webhook } };
  }

  #graphql(given: { query: string; variables: any }): object {
    const { query, variables } = given;
    if (!query.includes('on Product')) return { data: this.#query(given) };
    if (!this.scopes.includes('read_products')) {
      return { errors: [{ message: 'Access denied', extensions: { code: 'ACCESS_DENIED' } }] };
    }
    return { data: { nodes: variables.ids.map((id: string) => this.products.get(id) ?? null) } };
  }

  #query({ query, variables }: { query: string; variables: any }): object {
    const named = this.discounts.find(
      ({ code }) => code.toLowerCase() === variables.code?.toLowerCase(),
    );
    const identified = this.discounts.find(({ id }) => id === variables.id);
    if (query.includes('codeDiscountNodeByCode')) {
      return {
        shop: { currencyCode: 'USD' },
        codeDiscountNodeByCode: named ? { id: named.id } : null,
      };
    }
    if (query.includes('discountCodeBasicCreate')) {
      const { code, customerGets } = variables.discount;
      const id = `gid://shopify/DiscountCodeNode/${this.#id()}`;
      this.discounts.push({ id, code, value: customerGets.value, active: true });
      return { discountCodeBasicCreate: { codeDiscountNode: { id }, userErrors: [] } };
    }
    identified!.active = query.includes('discountCodeActivate');
    const name = identified!.active ? 'discountCodeActivate' : 'discountCodeDeactivate';
    return { [name]: { userErrors: [] } };
  }
}
