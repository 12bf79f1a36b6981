import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { loadSettings } from '../../../src/modules/settings/index.ts';
import { joinRenewals } from '../join-renewals.ts';
import { send, settle } from './compared-stores.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

const DAY_MS = 86_400_000;

const numbers = query<object, { connection_id: number; external_id: string; order_id: number }>(
  (db) => db.selectFrom('store_orders').select(['connection_id', 'external_id', 'order_id']),
);
const insertSetting = query<{ key: string; value: string; version: number }>((db, p) =>
  db
    .insertInto('settings')
    .values({ key: p.key, value: p.value, version: p.version, updated_at: 0, updated_by: 0 }),
);
const storedSettings = query<object, { key: string; value: string; version: number }>((db) =>
  db.selectFrom('settings').select(['key', 'value', 'version']).orderBy('version'),
);

/** What payments of subscriptions in a shop earn: the first, a renewal, and one after more than a year. */
interface Earned {
  first: number;
  renewal: number;
  late: number;
}

/** A program with a shop of WooCommerce and an account of Stripe. */
class Shops {
  readonly stores: StoreApp;
  readonly #woo: FakeWooCommerce;
  readonly #wooStore: ConnectedStore;
  readonly #stripe: FakeStripe;
  readonly #stripeStore: ConnectedStore;

  static async open(settings: Record<string, unknown> = {}): Promise<Shops> {
    const close: (() => Promise<unknown>)[] = [];
    after(() => Promise.all(close.map((each) => each())));
    const stores = await StoreApp.open({ settings });
    await stores.coupon('MAYA10');
    const woo = await FakeWooCommerce.start(stores.app.site.clock());
    close.push(async () => woo.close());
    const stripe = await FakeStripe.open();
    close.push(async () => stripe.api.close());
    stripe.account.nowS = Math.floor(stores.app.site.clock() / 1_000);
    const wooStore = await stores.connect({
      kind: 'woocommerce',
      url: woo.url,
      credentials: FAKE_KEYS,
    });
    const credentials = { secret_key: SECRET_KEY };
    const stripeStore = await stores.connect({ kind: 'stripe', credentials, url: stripe.api.url });
    return new Shops(stores, [woo, wooStore], [stripe, stripeStore]);
  }

  private constructor(
    stores: StoreApp,
    [woo, wooStore]: [FakeWooCommerce, ConnectedStore],
    [stripe, stripeStore]: [FakeStripe, ConnectedStore],
  ) {
    this.stores = stores;
    this.#woo = woo;
    this.#wooStore = wooStore;
    this.#stripe = stripe;
    this.#stripeStore = stripeStore;
  }

  get ids(): { woo: number; stripe: number } {
    return { woo: this.#wooStore.id, stripe: this.#stripeStore.id };
  }

  async ofWooCommerce(): Promise<Earned> {
    const { shop } = this.#woo;
    const place = async (fields: Record<string, unknown>) => {
      const { id } = shop.place({ codes: ['maya10'], status: 'completed', fields });
      for (const { webhook: _, ...sent } of shop.takeQueue(this.#woo.url)) {
        assert.equal((await send(this.stores, this.#wooStore, sent)).status, 200);
      }
      await settle(this.stores);
      return id;
    };
    const renew = async (subscription: number, parent_id: number, days: number) => {
      const began = new Date(this.stores.app.site.clock() - days * DAY_MS);
      const start_date_gmt = began.toISOString().slice(0, 19);
      shop.subscriptions ??= new Map();
      shop.subscriptions.set(subscription, { id: subscription, parent_id, start_date_gmt });
      const meta_data = [{ id: 1, key: '_subscription_renewal', value: String(subscription) }];
      return place({ created_via: 'subscription', meta_data });
    };
    const [first, other] = [await place({}), await place({})];
    const [renewal, late] = [await renew(70, first, 40), await renew(71, other, 400)];
    return this.#earned(this.#wooStore, [first, renewal, late]);
  }

  async ofStripe(): Promise<Earned> {
    const { account } = this.#stripe;
    const secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
    const renew = (days: number) => {
      const subscription = account.subscribe({ code: 'MAYA10' });
      const first = account.all('invoice').at(-1)!['id'];
      subscription['start_date'] -= days * (DAY_MS / 1_000);
      return [first, account.bill(subscription)['id']];
    };
    const [[first, renewal], [, late]] = [renew(40), renew(400)];
    for (const event of this.#stripe.takeEvents()) {
      const delivery = signed(event, secret, this.stores.app.site.clock());
      assert.equal((await send(this.stores, this.#stripeStore, delivery)).status, 200);
    }
    await settle(this.stores);
    return this.#earned(this.#stripeStore, [first, renewal, late]);
  }

  /** Each order has its commission, and one without is explained. */
  async #earned({ id }: ConnectedStore, externalIds: readonly unknown[]): Promise<Earned> {
    const rows = await this.stores.app.site.database.read.all(numbers, {});
    const commissions = externalIds.map(async (externalId) => {
      const row = rows.find(
        ({ connection_id, external_id }) =>
          connection_id === id && external_id === String(externalId),
      );
      const { body } = await this.stores.get(`/orders/${row!.order_id}/commission`);
      const [{ commission, steps }] = body.referrals;
      const reasons = steps.filter(({ facts }: any) => facts.because !== undefined);
      assert.equal(reasons.length > 0, commission === 0);
      if (reasons[0]?.facts.because === 'renewals') {
        assert.equal(reasons.length, 1);
        assert.match(reasons[0].explanation, /^Renewals of subscriptions earn nothing/);
        assert.equal(reasons[0].facts.rate_of, 'renewals');
      }
      return commission as number;
    });
    const [first, renewal, late] = await Promise.all(commissions);
    return { first: first!, renewal: renewal!, late: late! };
  }
}

describe('renewals of connected stores', () => {
  for (const [value, earns] of Object.entries({
    once: [true, false, false],
    12: [true, true, false],
    always: [true, true, true],
  })) {
    test(`${value}: they are orders, and earn by the setting of the program`, async () => {
      const shops = await Shops.open({ 'commission.renewals': value });
      const isEarning = ({ first, renewal, late }: Earned) =>
        [first, renewal, late].map((commission) => commission > 0);
      assert.deepEqual(isEarning(await shops.ofWooCommerce()), earns);
      assert.deepEqual(isEarning(await shops.ofStripe()), earns);
    });
  }
});

describe('the settings of each kind of store become one', () => {
  /** Upgrades a program that has stored these; returns what is stored then. */
  async function upgraded(shops: Shops, before: Record<string, string>) {
    const { site } = shops.stores.app;
    const known = await site.database.read.all(storedSettings, {});
    const last = known.at(-1)!.version;
    await site.database.transaction(async (tx) => {
      for (const [i, [key, value]] of Object.entries(before).entries()) {
        const version = last + 1 + i;
        await tx.run(insertSetting, { key, value: JSON.stringify(value), version });
      }
      await joinRenewals(tx);
    });
    site.settings.apply(await loadSettings(site.database.read, site), { whole: true });
    const rows = await site.database.read.all(storedSettings, {});
    assert.equal(new Set(rows.map(({ version }) => version)).size, rows.length);
    const kept = rows.filter(({ key }) => key in before && key.startsWith('stores.'));
    assert.equal(
      kept.length,
      Object.keys(before).filter((key) => key.startsWith('stores.')).length,
    );
    const { body: list } = await shops.stores.get('/rewards/rules');
    const one = rows.find(({ key }) => key === 'commission.renewals');
    return { value: one && (JSON.parse(one.value) as string), rules: list.rules as any[] };
  }
  const WOO = 'stores.woocommerce.renewals';
  const STRIPE = 'stores.stripe.renewals';

  for (const [before, value] of [
    [{}, undefined],
    [{ [WOO]: 'once' }, 'once'],
    [{ [WOO]: '6', [STRIPE]: '12' }, '12'],
    [{ [WOO]: 'always', [STRIPE]: '999' }, 'always'],
    [{ [STRIPE]: 'always', 'commission.renewals': '3' }, '3'],
  ] as const) {
    test(`${JSON.stringify(before)}: the more generous one, and no rule`, async () => {
      const shops = await Shops.open();
      assert.deepEqual(await upgraded(shops, before), { value, rules: [] });
    });
  }

  test('a kind that let no renewals earn goes on so by a rule at the end', async () => {
    const shops = await Shops.open();
    const own = { name: 'Own', rate: { percent: 15 }, order: { customer: 'first' } };
    assert.equal((await shops.stores.post('/rewards/rules', own)).status, 201);
    const { value, rules } = await upgraded(shops, { [STRIPE]: 'always' });
    assert.equal(value, 'always');
    assert.partialDeepStrictEqual(rules, [
      { name: 'Own', position: 1 },
      {
        name: 'Renewals of WooCommerce',
        position: 2,
        version: 2,
        order: { payment: 'renewal', stores: [shops.ids.woo] },
        rate: { excluded: true },
        missing: [],
        hidden_by: null,
      },
    ]);
    const ofWoo = await shops.ofWooCommerce();
    assert.ok(ofWoo.first > 0);
    assert.deepEqual([ofWoo.renewal, ofWoo.late], [0, 0]);
    const ofStripe = await shops.ofStripe();
    assert.ok(ofStripe.renewal > 0 && ofStripe.late > 0);
    // The rule is like any other.
    const { id, version } = rules[1];
    const path = `/rewards/rules/${id}?version=${version}`;
    const removed = await shops.stores.send('DELETE', path);
    assert.ok(removed.status < 300, removed.text);
  });

  test('without a connected store of that kind there is no rule', async () => {
    const shops = await Shops.open();
    const { stripe } = shops.ids;
    assert.ok((await shops.stores.send('DELETE', `/connections/${stripe}`)).status < 300);
    const { value, rules } = await upgraded(shops, { [WOO]: '24' });
    assert.deepEqual([value, rules], ['24', []]);
  });
});
