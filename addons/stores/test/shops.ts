import type { RawDelivery } from '../connectors/connector.ts';
import { CLIENT, FakeShopify } from './shopify/fake-shopify.ts';
import type { ConnectedStore, StoreApp } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import type { StripeObject } from './stripe/stripe-objects.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

/** An order that is placed in any of the fake shops. */
export interface Purchase {
  readonly code: string | undefined;
  readonly email: string;
  readonly quantity: number;
  readonly isPaid: boolean;
  /** The place in the history of an order whose subscription it renews, where the shop has subscriptions. */
  readonly renews: number | undefined;
}

/** A fake shop as a history needs it: it is delivered order by order, and later read in pages. */
export interface Shop {
  /** The first connection gets the deliveries. */
  connect(at: StoreApp): Promise<ConnectedStore>;
  /** Forgets the orders of the history before. */
  begin(): void;
  /** Places an order now, and resolves to the deliveries of it. */
  place(purchase: Purchase, nowMs: number): RawDelivery[];
  /** How the shop lists its orders from now on: as if they had changed in this order. */
  list(pageSize: number, keys: readonly number[], nowMs: number): void;
  close(): Promise<unknown>;
}

export const kinds = { woocommerce, shopify, stripe } as const;

async function woocommerce(nowMs: number): Promise<Shop> {
  const fake = await FakeWooCommerce.start(nowMs);
  const { shop } = fake;
  let placed: number[] = [];
  const begun = new Map<number, number>();
  const webhooks = new Set<number>();
  shop.subscriptions = new Map();
  /** The shop of a subscription names the first order, which does not name the subscription. */
  const subscriptionOf = (place: number): number => {
    let id = begun.get(place);
    if (id === undefined) {
      begun.set(place, (id = shop.nextId()));
      const parent_id = placed[place]!;
      const start = new Date(shop.orders.get(parent_id)!.createdMs);
      const start_date_gmt = start.toISOString().slice(0, 19);
      shop.subscriptions!.set(id, { id, parent_id, start_date_gmt });
    }
    return id;
  };
  return {
    async connect(at) {
      const store = await at.connect({
        kind: 'woocommerce',
        url: fake.url,
        credentials: FAKE_KEYS,
      });
      if (webhooks.size === 0) for (const id of shop.webhooks.keys()) webhooks.add(id);
      return store;
    },
    begin() {
      placed = [];
      begun.clear();
      shop.orders.clear();
    },
    place({ code, email, quantity, isPaid, renews }, at) {
      shop.nowMs = Math.floor(at / 1_000) * 1_000;
      const value = renews === undefined ? undefined : String(subscriptionOf(renews));
      const meta_data = [{ id: 1, key: '_subscription_renewal', value }];
      const { id } = shop.place({
        codes: code === undefined ? [] : [code.toLowerCase()],
        email,
        quantity,
        status: isPaid ? 'completed' : 'pending',
        fields: renews === undefined ? {} : { created_via: 'subscription', meta_data },
      });
      placed.push(id);
      const queue = shop.takeQueue(fake.url);
      return queue
        .filter(({ webhook }) => webhooks.has(webhook.id))
        .map(({ headers, body }) => ({ headers, body }));
    },
    list(pageSize, keys, at) {
      fake.perPageMax = pageSize;
      shop.nowMs = Math.floor(at / 1_000) * 1_000;
      for (const [i, id] of placed.entries())
        shop.orders.get(id)!.modifiedMs = shop.nowMs + keys[i]!;
    },
    close: () => fake.close(),
  };
}

async function shopify(nowMs: number): Promise<Shop> {
  const fake = await FakeShopify.open();
  fake.nowMs = nowMs;
  return {
    connect: (at) => at.connect({ kind: 'shopify', url: fake.api.url, credentials: CLIENT }),
    begin: () => fake.orders.clear(),
    place({ code, email, quantity, isPaid }, at) {
      fake.nowMs = at;
      const fields = { email, customer: { id: email, email } };
      const order = fake.place({
        ...(code !== undefined && { code }),
        quantity,
        paid: isPaid,
        fields,
      });
      if (isPaid) fake.change(order, { shipped: true });
      return fake.queue.splice(0);
    },
    list(pageSize, keys, at) {
      fake.pageSizeMax = pageSize;
      fake.nowMs = at;
      for (const [i, order] of [...fake.orders.values()].entries()) order.updatedMs = at + keys[i]!;
    },
    close: () => fake.api.close(),
  };
}

async function stripe(nowMs: number): Promise<Shop> {
  const fake = await FakeStripe.open();
  const { account } = fake;
  account.nowS = Math.floor(nowMs / 1_000);
  let subscriptions: (StripeObject | undefined)[] = [];
  let secret = '';
  return {
    async connect(at) {
      const credentials = { secret_key: SECRET_KEY };
      const store = await at.connect({ kind: 'stripe', credentials, url: fake.api.url });
      secret ||= `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
      return store;
    },
    begin() {
      subscriptions = [];
      for (const [id, { object }] of account.objects) {
        if (object !== 'webhook_endpoint') account.objects.delete(id);
      }
    },
    /** What is not paid is not there. */
    place({ code, email, quantity, isPaid, renews }, at) {
      account.nowS = Math.floor(at / 1_000);
      const terms = { code, email, amount: 1_000 * quantity };
      const known = renews === undefined ? undefined : subscriptions[renews];
      subscriptions.push(known);
      if (!isPaid) return [];
      if (known) account.bill(known, { ...terms, code: undefined });
      else if (quantity % 2 === 0) account.sell(terms);
      else subscriptions[subscriptions.length - 1] = account.subscribe(terms);
      return fake.takeEvents().map((event) => signed(event, secret, at));
    },
    /** It lists the newest first. */
    list(pageSize, _keys, at) {
      fake.pageSizeMax = pageSize;
      account.nowS = Math.floor(at / 1_000);
    },
    close: () => fake.api.close(),
  };
}
