import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { clientClosesIdle } from '../../../../test/support/client-closes-idle.ts';
import { orderJson, refundJson, rounded, ZONE_MS } from './fake-orders.ts';
import { FakeShop, type FakeCoupon, type FakeWebhook, type Sent } from './fake-shop.ts';

export const FAKE_KEYS = {
  consumer_key: 'ck_c0860a21934a55a5b45ebc19140ce5fbf34e5d34',
  consumer_secret: 'cs_3f9580e7592cb575c56129a24e9ada3b72a7b8d6',
};

interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** Sent instead, such as the page of a firewall. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  json: { code, message, data: { status } },
});
const invalidId = (what: string) =>
  refusal(404, `woocommerce_rest_${what}_invalid_id`, 'Invalid ID.');

/** A shop with its REST API over HTTP, and with its webhooks. */
export class FakeWooCommerce {
  readonly shop: FakeShop;
  readonly requests: string[] = [];
  /** Answers given before anything else, one per request. */
  readonly errors: Answer[] = [];
  permissions: 'read' | 'read_write' = 'read_write';
  perPageMax = 100;
  /** The folder of the host that the shop is in, such as `/en`. */
  folder = '';
  /** "Plain" permalinks: only `?rest_route=` leads to the API. */
  isPlain = false;
  /** The host drops the header `Authorization`. */
  dropsAuthorization = false;
  readonly #server = createServer(
    clientClosesIdle,
    (request, response) => void this.#serve(request, response),
  );

  private constructor(startMs: number) {
    this.shop = new FakeShop(startMs);
  }

  static async start(startMs: number): Promise<FakeWooCommerce> {
    const fake = new FakeWooCommerce(startMs);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    // The cast is safe: the server listens on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sends what waits in the queue, once each, and returns the statuses. */
  async deliver(): Promise<number[]> {
    const statuses: number[] = [];
    for (const { webhook, ...sent } of this.shop.takeQueue(this.url)) {
      const status = await post(sent);
      statuses.push(status);
      this.shop.settle(webhook, status >= 200 && status <= 302);
    }
    return statuses;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const body = await text(request);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const answer = this.#answer(request, url, body);
    response.sendDate = false;
    response.writeHead(answer.status, {
      'Content-Type': 'application/json; charset=UTF-8',
      Date: new Date(this.shop.nowMs).toUTCString(),
      ...answer.headers,
    });
    response.end(answer.text ?? JSON.stringify(answer.json));
  }

  #answer(request: IncomingMessage, url: URL, body: string): Answer {
    const error = this.errors.shift();
    if (error) return error;
    const { consumer_key: key, consumer_secret: secret } = FAKE_KEYS;
    const basic = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    const isQuery =
      url.searchParams.get('consumer_key') === key &&
      url.searchParams.get('consumer_secret') === secret;
    const isBasic = !this.dropsAuthorization && request.headers.authorization === basic;
    const home = { status: 301, json: {}, headers: { location: `${this.url}/` } };
    if (this.isPlain && url.pathname !== '/') return home;
    if (!isBasic && !isQuery) {
      return refusal(401, 'woocommerce_rest_authentication_error', 'Consumer secret is invalid.');
    }
    const base = `${this.folder}/wp-json/wc/v3/`;
    const route = url.searchParams.get('rest_route');
    const path = route === null ? url.pathname : `/wp-json${route}`;
    if (!path.startsWith(base)) return refusal(404, 'rest_no_route', 'No route was found.');
    const method = request.method ?? 'GET';
    if (method !== 'GET' && this.permissions === 'read') {
      const message = 'The API key provided does not have write permissions.';
      return refusal(401, 'woocommerce_rest_authentication_error', message);
    }
    const [resource = '', id = '', part = ''] = path.slice(base.length).split('/');
    // The cast is safe: only the connector under test sends bodies.
    const given = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    if (resource === 'orders') return this.#orders(url, id, part);
    if (resource === 'webhooks') return this.#webhooks(method, url, Number(id), given);
    if (resource === 'coupons') return this.#coupons(method, url, Number(id), given);
    if (resource === 'products') return this.#products(url, id);
    if (resource === 'subscriptions') return this.#subscriptions(id);
    if (resource === 'data') return { status: 200, json: { code: 'USD', name: 'US dollar' } };
    return refusal(404, 'rest_no_route', 'No route was found.');
  }

  #orders(url: URL, id: string, part: string): Answer {
    if (id === '') return this.#orderList(url);
    const order = this.shop.orders.get(Number(id));
    if (!order) return invalidId('shop_order');
    if (part === 'refunds') {
      const refunds = order.refunds.map((refund) => refundJson(order, refund));
      return this.#page(url, refunds.toReversed());
    }
    return { status: 200, json: this.#shown(url)(orderJson(order)) };
  }

  #products(url: URL, part: string): Answer {
    const { products, categories, otherLanguage } = this.shop;
    if (part === 'categories') return this.#page(url, categories);
    const included = url.searchParams.get('include')!.split(',').map(Number);
    return this.#page(
      url,
      included
        .filter((id) => url.searchParams.get('lang') === 'all' || !otherLanguage.has(id))
        .flatMap((id) => products.get(id) ?? []),
    );
  }

  #subscriptions(id: string): Answer {
    const { subscriptions } = this.shop;
    if (!subscriptions) return refusal(404, 'rest_no_route', 'No route was found.');
    const subscription = subscriptions.get(Number(id));
    return subscription ? { status: 200, json: subscription } : invalidId('shop_subscription');
  }

  /** `modified_after` leaves out its own second, and a zone in it is moved by the shop's. */
  #orderList(url: URL): Answer {
    const isTrash = url.searchParams.get('status') === 'trash';
    const after = url.searchParams.get('modified_after');
    const isGmt = url.searchParams.get('dates_are_gmt') === 'true';
    const afterMs = after === null ? 0 : readAfter(after, isGmt);
    const included = url.searchParams.get('include')?.split(',');
    const found = [...this.shop.orders.values()]
      .filter((order) => (order.status === 'trash') === isTrash)
      .filter((order) => order.modifiedMs > afterMs)
      .filter(({ id }) => included === undefined || included.includes(String(id)))
      .sort((a, b) => a.modifiedMs - b.modifiedMs || a.id - b.id);
    return this.#page(url, found.map(orderJson).map(this.#shown(url)));
  }

  #shown(url: URL): (order: Record<string, unknown>) => Record<string, unknown> {
    return this.shop.hidesDecimals && !url.searchParams.has('dp') ? rounded : (order) => order;
  }

  #page(url: URL, all: readonly unknown[]): Answer {
    const perPage = Number(url.searchParams.get('per_page') ?? 10);
    if (perPage > 100) return refusal(400, 'rest_invalid_param', 'Invalid parameter(s): per_page');
    const size = Math.min(perPage, this.perPageMax);
    const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
    return {
      status: 200,
      json: all.slice(from, from + size),
      headers: {
        'X-WP-Total': String(all.length),
        'X-WP-TotalPages': String(Math.ceil(all.length / size)),
      },
    };
  }

  #webhooks(method: string, url: URL, id: number, given: Record<string, unknown>): Answer {
    const { webhooks } = this.shop;
    if (method === 'POST') {
      const webhook: FakeWebhook = {
        id: this.shop.nextId(),
        name: String(given['name']),
        topic: String(given['topic']),
        status: 'active',
        deliveryUrl: String(given['delivery_url']),
        secret: String(given['secret']),
        failures: 0,
      };
      webhooks.set(webhook.id, webhook);
      void post(pingOf(webhook)).catch(() => undefined);
      return { status: 201, json: webhookJson(webhook) };
    }
    if (!id) return this.#page(url, [...webhooks.values()].map(webhookJson));
    const webhook = webhooks.get(id);
    if (!webhook) return invalidId('shop_webhook');
    if (method === 'DELETE') webhooks.delete(id);
    if (given['status'] === 'active') webhook.status = 'active';
    if (typeof given['secret'] === 'string') webhook.secret = given['secret'];
    return { status: 200, json: webhookJson(webhook) };
  }

  #coupons(method: string, url: URL, id: number, given: Record<string, unknown>): Answer {
    const { coupons } = this.shop;
    const byCode = (code: string) =>
      [...coupons.values()].filter((coupon) => coupon.code === code.toLowerCase());
    if (method === 'POST') {
      const code = String(given['code']).toLowerCase();
      if (byCode(code).length > 0) {
        const name = 'woocommerce_rest_coupon_code_already_exists';
        return refusal(400, name, 'The coupon code already exists');
      }
      const coupon: FakeCoupon = {
        id: this.shop.nextId(),
        code,
        amount: String(given['amount']),
        discountType: String(given['discount_type']),
        dateExpires: null,
        meta: [],
      };
      coupons.set(coupon.id, coupon);
      return { status: 201, json: couponJson(coupon) };
    }
    if (!id) return this.#page(url, byCode(url.searchParams.get('code') ?? '').map(couponJson));
    const coupon = coupons.get(id);
    if (!coupon) return invalidId('shop_coupon');
    // Null is ignored, and an empty text removes the date.
    const { date_expires: expires, meta_data: meta } = given;
    if (typeof expires === 'string') coupon.dateExpires = expires === '' ? null : expires;
    if (Array.isArray(meta)) coupon.meta = meta as FakeCoupon['meta'];
    return { status: 200, json: couponJson(coupon) };
  }
}

function readAfter(after: string, isGmt: boolean): number {
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(after);
  if (hasZone) return Date.parse(after) + (isGmt ? ZONE_MS : 0);
  return Date.parse(`${after}Z`) - (isGmt ? 0 : ZONE_MS);
}

function pingOf({ id, deliveryUrl }: FakeWebhook): Sent {
  return {
    url: deliveryUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(`webhook_id=${id}`),
  };
}

/** Redirects are not followed. */
export async function post({ url, headers, body }: Sent): Promise<number> {
  const sent = new Uint8Array(body);
  const response = await fetch(url, { method: 'POST', headers, body: sent, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

function webhookJson({ id, name, topic, status, deliveryUrl }: FakeWebhook) {
  return { id, name, status, topic, delivery_url: deliveryUrl };
}

function couponJson(coupon: FakeCoupon) {
  return {
    id: coupon.id,
    code: coupon.code,
    amount: coupon.amount,
    status: 'publish',
    discount_type: coupon.discountType,
    date_expires: coupon.dateExpires,
    meta_data: coupon.meta.map((meta, i) => ({ id: i + 1, ...meta })),
  };
}
