import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AFFILIATES, COUPON_OWNERS, setup, type Setup } from '../../../test/decided/history.ts';
import { testServer } from '../../../test/postgres/databases.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { assertBalanced, figuresOf, idsOf, send } from './compared-stores.ts';
import { kinds, type Purchase, type Shop } from './shops.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';

/**
 * A shop that delivers its orders one after the other gives the same as the same shop when its history is read later, in
 * pages of any order and size. `DECIDED_HISTORIES=2000` plays more.
 */
const RUNS = Number(process.env['DECIDED_HISTORIES'] ?? (testServer() === undefined ? 9 : 3));
const ORDERS_MAX = 7;
const HOUR_MS = 3_600_000;

const delivered = await StoreApp.open();
const read = await StoreApp.open();
const both = [delivered, read];
let worlds = 0;

const names = ['woocommerce', 'shopify', 'stripe'] as const;
const shops = new Map<string, { shop: Shop; first: ConnectedStore; second: ConnectedStore }>();
for (const kind of names) {
  const shop = await kinds[kind](delivered.app.site.clock());
  after(() => shop.close());
  const [first, second] = [await shop.connect(delivered), await shop.connect(read)];
  shops.set(kind, { shop, first, second });
}

const purchase = fc.record({
  hours: fc.integer({ min: 1, max: 400 }),
  coupon: fc.option(fc.nat(COUPON_OWNERS.length - 1), { freq: 2 }),
  customer: fc.nat(2),
  quantity: fc.integer({ min: 1, max: 6 }),
  isPaid: fc.constantFrom(true, true, true, false),
  renews: fc.option(fc.nat(ORDERS_MAX), { freq: 1 }),
});

/** Affiliates, coupons and rules of their own in both programs; resolves to what removes the rules. */
async function prepare(name: string, { settings, rules }: Setup): Promise<() => Promise<void>> {
  const made: (() => Promise<unknown>)[] = [];
  for (const stores of both) {
    await stores.app.set(settings);
    const affiliates: number[] = [];
    const post = async (path: string, json: object) => {
      const { body, status, text } = await stores.post(path, json);
      assert.equal(status, 201, text);
      return body.id as number;
    };
    for (let i = 0; i < AFFILIATES; i++) {
      const login = `${name}a${i}`;
      affiliates.push(await post('/affiliates', { login, email: `${login}@post.example` }));
    }
    for (const [i, owner] of COUPON_OWNERS.entries()) {
      await post('/coupons', { code: `${name}K${i}`, user_id: affiliates[owner] });
    }
    for (const { affiliate, json } of rules) {
      const who = { affiliates: affiliate === null ? affiliates : [affiliates[affiliate]!] };
      const id = await post('/rewards/rules', { ...json, who });
      made.push(() => stores.send('DELETE', `/rewards/rules/${id}`));
    }
  }
  return async () => {
    for (const undo of made) await undo();
  };
}

/** What the orders of a connection earn, and from what it was decided. */
async function earnedIn(
  stores: StoreApp,
  [store, before]: [ConnectedStore, ReadonlySet<string>],
  name: string,
) {
  const { body: coupons } = await stores.app.call(`/coupons?search=${name}&per_page=100`, {
    key: stores.key,
  });
  const codes = new Map(coupons.map(({ id, code }: any) => [id, code]));
  const figures: Record<string, any> = await figuresOf(stores, store, before);
  for (const order of Object.values(figures)) {
    order.earned = order.earned.filter(({ state }: any) => state !== 'void');
    for (const one of order.earned) one.coupon_id = codes.get(one.coupon_id);
  }
  const balances = coupons
    .map(({ code, unpaid_commission, pending_order_commission }: any) => [
      code,
      unpaid_commission,
      pending_order_commission,
    ])
    .toSorted();
  return { figures, balances };
}

test('a history that is read in pages earns what its orders earn one after the other', async (t) => {
  let orders = 0;
  await fc.assert(
    fc.asyncProperty(
      setup,
      fc.constantFrom(...names),
      fc.array(purchase, { minLength: 2, maxLength: ORDERS_MAX }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 1_000, max: 900_000 }), {
        minLength: ORDERS_MAX,
        maxLength: ORDERS_MAX,
      }),
      async (given, kind, purchases, pageSize, keys) => {
        const name = `s${10_000 + ++worlds}`;
        const { site } = delivered.app;
        const { shop, first, second } = shops.get(kind)!;
        const before = [await idsOf(delivered, first), await idsOf(read, second)] as const;
        shop.begin();
        const end = await prepare(name, given);
        try {
          for (const [
            i,
            { hours, coupon, customer, quantity, isPaid, renews },
          ] of purchases.entries()) {
            delivered.app.advance(hours * HOUR_MS);
            const placed: Purchase = {
              code: coupon === null ? undefined : `${name}K${coupon}`,
              email: `${name}c${customer}@shoppers.example`,
              quantity,
              isPaid,
              renews: renews === null || i === 0 ? undefined : renews % i,
            };
            for (const sent of shop.place(placed, site.clock())) {
              const { status, text } = await send(delivered, first, sent);
              assert.equal(status, 200, text);
              await delivered.process();
            }
          }
          delivered.app.advance(HOUR_MS);
          read.app.advance(site.clock() - read.app.site.clock());
          shop.list(pageSize, keys, site.clock());
          await read.post(`/connections/${second.id}/import`, {});
          await read.sync();
          const earned = await earnedIn(delivered, [first, before[0]], name);
          assert.deepEqual(await earnedIn(read, [second, before[1]], name), earned);
          orders += Object.keys(earned.figures).length;
        } finally {
          await end();
        }
      },
    ),
    { numRuns: RUNS },
  );
  t.diagnostic(`${orders} orders`);
});

test('the books agree', async () => {
  for (const stores of both) await assertBalanced(stores);
});
