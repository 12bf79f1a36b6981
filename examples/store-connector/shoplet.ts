import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type {
  Connector,
  Extension,
  Mapped,
  StoreApi,
  StoreOrder,
} from 'tributary-affiliates/extension';

/**
 * A kind of store of your own: orders of the imaginary system Shoplet. Run it with
 *
 *   npm start -- --extensions examples/store-connector/shoplet.ts
 */
interface ShopletOrder {
  id: number;
  placed: string;
  changed: string;
  state: 'open' | 'paid' | 'cancelled';
  amount: number;
  currency?: string;
  code?: string;
  refunds?: { id: number; amount: number }[];
}

interface Hook {
  id: number;
  url: string;
  active: boolean;
}

const SIGNATURE = 'x-shoplet-signature';
const TOPIC = 'x-shoplet-topic';
const ORDER = 'x-shoplet-order';
const statuses = { open: 'processing', paid: 'completed', cancelled: 'cancelled' } as const;

const shoplet: Connector = {
  kind: 'shoplet',
  label: 'Shoplet',
  normalizeUrl(typed) {
    const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`);
    if (!url) throw new Error('is not the address of a shop');
    return url.origin;
  },
  credentials: [
    {
      name: 'token',
      label: 'Access token',
      help: 'Settings > API in Shoplet',
      required: true,
      pattern: '^[a-z0-9]{8,64}$',
    },
  ],
  headersKept: [SIGNATURE, TOPIC, ORDER],

  /** The signature is over the raw bytes. */
  verify({ headers, body }, { secrets }) {
    const given = Buffer.from(headers[SIGNATURE] ?? '');
    const isGenuine = secrets.some((secret) => {
      const expected = Buffer.from(sign(body, secret));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isGenuine) return { outcome: 'refused', reason: 'The signature is wrong.' };
    const dedupeKey = createHash('sha256').update(body).digest('hex');
    const topic = headers[TOPIC] ?? 'order';
    return { outcome: 'genuine', topic, externalId: headers[ORDER] ?? null, dedupeKey };
  },

  /** Pure: the same payload always gives the same order. */
  toOrder(payload, { isComplete }): Mapped {
    const { event, order_id, order } = payload as Delivery;
    const externalId = String(order_id);
    if (event === 'deleted') return { result: 'gone', externalId, reason: 'It was deleted.' };
    if (event === 'note') return { result: 'ignored', reason: 'A note is not an order.' };
    // The event of a refund has no amounts.
    if (!order && !isComplete) return { result: 'ask', externalId, reason: 'It has no amounts.' };
    if (!order) return { result: 'failed', reason: 'The payload has no order.' };
    return { result: 'order', order: toStoreOrder(order) };
  },

  exampleDelivery({ secrets, nowMs }, { code, total, currency }) {
    const now = new Date(nowMs).toISOString();
    const order: ShopletOrder = {
      id: 1,
      placed: now,
      changed: now,
      state: 'paid',
      amount: total,
      currency,
      code,
    };
    const body = Buffer.from(JSON.stringify({ event: 'order', order_id: 1, order }));
    return { headers: { [SIGNATURE]: sign(body, secrets[0] ?? '') }, body };
  },

  async connect(store) {
    const hooks = await call<Hook[]>(store, 'api/hooks');
    const isThere = hooks.some(({ url }) => url === store.receiverUrl);
    if (!isThere) {
      const json = { url: store.receiverUrl, secret: store.secret };
      await store.request({ method: 'POST', url: 'api/hooks', headers: access(store), json });
    }
    const steps = ['The token works.', isThere ? 'The webhook exists.' : 'Created the webhook.'];
    return { steps, webhooksActive: true };
  },

  async check(store) {
    const hook = await ownHook(store);
    if (!hook) return { webhooksActive: false, notes: ['The webhook is gone: connect it again.'] };
    if (hook.active) return { webhooksActive: true, notes: ['The webhook is active.'] };
    const url = `api/hooks/${hook.id}`;
    await store.request({ method: 'PUT', url, headers: access(store), json: { active: true } });
    return { webhooksActive: true, notes: ['The webhook was disabled, and is active again.'] };
  },

  async disconnect(store) {
    const hook = await ownHook(store);
    if (!hook) return;
    await store.request({ method: 'DELETE', url: `api/hooks/${hook.id}`, headers: access(store) });
  },

  async fetchOrder(store, externalId) {
    const url = `api/orders/${encodeURIComponent(externalId)}`;
    const { status, json } = await store.request({ url, headers: access(store) });
    return status === 404 ? undefined : asPayload(json as ShopletOrder);
  },

  async changedSince(store, { sinceMs, page }) {
    const query = { since: new Date(sinceMs).toISOString(), page: page ?? '1' };
    const { json } = await store.request({ url: 'api/orders', query, headers: access(store) });
    const { orders, next, total } = json as {
      orders: ShopletOrder[];
      next: string | null;
      total: number;
    };
    return { payloads: orders.map(asPayload), next, total };
  },

  async createCoupon(store, { code, discount }) {
    const json = { code, [discount.type]: discount.amount };
    await store.request({ method: 'POST', url: 'api/codes', headers: access(store), json });
  },

  async changeCoupon(store, { code, active }) {
    const url = `api/codes/${encodeURIComponent(code)}`;
    await store.request({ method: 'PUT', url, headers: access(store), json: { active } });
  },
};

interface Delivery {
  event: string;
  order_id: number;
  order?: ShopletOrder;
}

const asPayload = (order: ShopletOrder): Delivery => ({
  event: 'order',
  order_id: order.id,
  order,
});

function toStoreOrder(order: ShopletOrder): StoreOrder {
  return {
    external_id: String(order.id),
    date: order.placed,
    date_modified: order.changed,
    status: statuses[order.state],
    ...(order.currency !== undefined && { currency: order.currency }),
    discount: 0,
    shipping: 0,
    tax: 0,
    fees: 0,
    total: order.amount,
    coupon_codes: order.code === undefined ? [] : [order.code],
    items: [],
    refunds: order.refunds ?? [],
  };
}

function sign(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function access({ credentials }: StoreApi): Record<string, string> {
  return { authorization: `Bearer ${credentials['token']}` };
}

async function call<T>(store: StoreApi, url: string): Promise<T> {
  return (await store.request({ url, headers: access(store) })).json as T;
}

async function ownHook(store: StoreApi): Promise<Hook | undefined> {
  const hooks = await call<Hook[]>(store, 'api/hooks');
  return hooks.find(({ url }) => url === store.receiverUrl);
}

const extension: Extension = { name: 'shoplet', connectors: [shoplet] };

export default extension;
