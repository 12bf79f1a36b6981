import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { skipOnServer } from '../../../test/postgres/file-or-server.ts';
import { idOf, openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { SeededRandom } from '../../shared/seeded.ts';
import { hashVisitor } from '../clicks/index.ts';
import { sequenceEvents } from '../events/index.ts';
import { hashCustomer } from './customers/hash-customer.ts';

const STORE = '/svc/store/v1';
const CUSTOMERS = Array.from({ length: 6 }, (_, i) => ({ email: `shopper-${i}@shop.example` }));

const VISITORS = ['visitor 1', 'visitor 2', 'visitor 3'];

/** Every table that orders touch, and the order that makes two of them comparable. */
const TABLES = {
  orders: ['order_id'],
  referrals: ['order_id', 'coupon_id'],
  ledger: ['id'],
  events: ['id'],
  coupons: ['id'],
  coupon_days: ['coupon_id', 'day'],
  store_days: ['day'],
  lifetime_customers: ['coupon_id', 'customer_hash'],
  subscription_payments: ['key', 'order_id'],
  limited_rewards: ['order_id', 'coupon_id', 'rule_id'],
  mla_shares: ['order_id', 'coupon_id', 'tier'],
  clicks: ['id'],
  click_days: ['coupon_id', 'day'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

/** An installation with six coupons, of which those of maya are below tomas. */
async function openStore(settings: Record<string, unknown> = {}, rules: readonly object[] = []) {
  const app = await openTestApp({ settings });
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json: unknown) => {
    const reply = await app.call(STORE + path, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  for (let i = 1; i <= 6; i++) {
    await send('POST', '/coupons', {
      code: `SET${i}`,
      user_id: idOf(i % 2 === 0 ? 'maya' : 'tomas'),
      ...(i === 3 && { percent_override: 12.5 }),
    });
  }
  for (const rule of rules) await send('POST', '/rewards/rules', rule);
  await send('PUT', `/affiliates/${idOf('maya')}/parent`, { parent_id: idOf('tomas') });
  for (let i = 1; i <= 4; i++) {
    const visitor = VISITORS[i % 2];
    await send('POST', '/clicks', { code: `SET${i}`, visitor, date: `2026-03-1${i}T10:00:00` });
  }
  return {
    app,
    key,
    batch: (orders: unknown[]) => send('POST', '/orders/batch', { orders }),
    put: ({ order_id, ...json }: any) =>
      app.call(`${STORE}/orders/${order_id}`, { method: 'PUT', key, json }),
    coupon: async (code: string) => {
      const { body } = await app.call(`/coupons?search=${code}`, { key });
      return (await app.call(`/coupons/${body[0].id}`, { key })).body;
    },
    verify: async () => {
      const { body } = await app.call(`${STORE}/ledger/verify`, { key });
      assert.deepEqual(body.differences, []);
    },
  };
}

/** Everything but when, how often, and what depends on the installation's own secret. */
async function dumpOf({ site }: TestApp): Promise<Record<string, string[]>> {
  await sequenceEvents(site.database);
  const dump: Record<string, string[]> = {};
  const hashes = [
    ...CUSTOMERS.map((customer) => [hashCustomer(site, customer)!, customer.email]),
    ...VISITORS.map((visitor) => [hashVisitor(site, visitor), visitor]),
  ];
  for (const [table, by] of Object.entries(TABLES)) {
    const rows = await site.database.read.all(
      query<object, Record<string, unknown>>((db) =>
        db
          .selectFrom(table as 'orders')
          .selectAll()
          .orderBy(sql.join(by.map((column) => sql.ref(column)))),
      ),
      {},
    );
    dump[table] = rows
      // The key that the test itself works with is another one in each.
      .filter((row) => row['kind'] !== 'key')
      // A day on which nothing is left means the same as no day.
      .filter((row) => !table.endsWith('_days') || hasFigures(row))
      .map((row) => {
        const held = 'release_at' in row && { release_at: row['release_at'] !== null };
        const ignored = {
          created_at: 0,
          updated_at: 0,
          recorded_at: 0,
          figures_version: 0,
          ...('decided_at' in row && { decided_at: row['decided_at'] !== null }),
        };
        const text = JSON.stringify({ ...row, ...held, ...ignored });
        return hashes.reduce((told, [hash, email]) => told.replaceAll(hash!, email!), text);
      });
    if (table === 'lifetime_customers') dump[table].sort();
  }
  return dump;
}

function hasFigures(row: Record<string, unknown>): boolean {
  const { coupon_id: _, ...figures } = row;
  return Object.values(figures).some((value) => typeof value === 'number' && value !== 0);
}

/** Row by row: the difference of whole tables would be unreadable. */
function assertSame(made: readonly string[], expected: readonly string[], table: string): void {
  for (const [i, row] of made.entries()) assert.equal(row, expected[i], table);
  assert.equal(made.length, expected.length, table);
}

const order = (order_id: number, changes: object = {}) => ({
  order_id,
  date: '2026-03-10T12:00:00',
  status: 'completed',
  subtotal: 100,
  total: 100,
  coupon_codes: ['SET1'],
  ...changes,
});

/** Few orders, sent again and again with other coupons, statuses, days and refunds. */
function randomOrders(seed: number, count: number, hasRules: boolean) {
  const random = new SeededRandom(seed);
  const statuses = ['pending', 'processing', 'completed', 'cancelled', 'refunded'];
  return Array.from({ length: count }, () => {
    const total = random.between(1, 20_000) / 100;
    return order(25 * (seed - 1) + random.between(1, 25), {
      date: `2026-03-1${random.between(0, 9)}T12:00:00`,
      status: random.pick(statuses),
      subtotal: total,
      total,
      coupon_codes: Array.from(
        { length: random.between(0, 2) },
        () => `SET${random.between(1, 7)}`,
      ),
      ...(random.happens(0.8) && { customer: random.pick(CUSTOMERS) }),
      ...(random.happens(0.3) && { click_id: random.between(1, 5) }),
      ...(random.happens(0.4) && { visitor: random.pick(VISITORS) }),
      ...(random.happens(0.3) && { referral_code: `set${random.between(1, 7)}` }),
      ...(hasRules &&
        random.happens(0.4) && {
          items: [
            { product_id: random.pick(['p1', 'p2']), quantity: 2, subtotal: total, total },
            { product_id: 'p3', category_ids: ['c1'], quantity: 1, subtotal: 0, total: 0 },
          ],
        }),
      ...(hasRules && random.happens(0.3) && { subscription: { id: random.pick(['s1', 's2']) } }),
      refunds: random.happens(0.3) ? [{ id: 1, amount: random.between(0, total * 100) / 100 }] : [],
    });
  });
}

/** As a batch decides them: oldest first, and versions of the same order after each other. */
function inSequence<O extends { order_id: number; date: string }>(orders: readonly O[]): O[] {
  const versions = new Map<number, number>();
  const placed = orders.map((one) => {
    const round = versions.get(one.order_id) ?? 0;
    versions.set(one.order_id, round + 1);
    return { one, round };
  });
  placed.sort(
    (a, b) =>
      a.round - b.round || a.one.date.localeCompare(b.one.date) || a.one.order_id - b.one.order_id,
  );
  return placed.map(({ one }) => one);
}

/** The steps of each referral lead to its commission, and each rule that a step names is among the rules. */
async function assertExplained({ app, key }: Awaited<ReturnType<typeof openStore>>): Promise<void> {
  for (let id = 1; id <= 75; id++) {
    const { status, body } = await app.call(`${STORE}/orders/${id}/commission`, { key });
    if (status === 404) continue;
    for (const { commission, state, steps, rules } of body.referrals) {
      // The coupon was removed: its steps are those of the order that had it.
      if (steps.some(({ facts }: any) => facts.reason === 'coupon_removed')) continue;
      const earned = steps.findLast(({ step }: any) =>
        ['rounding', 'refund', 'share'].includes(step),
      );
      if (state !== 'void') assert.equal(earned.amount, commission, `order ${id}`);
      const named = steps.flatMap(({ facts }: any) => facts.rule_id ?? []);
      const decided = rules.flatMap((rule: any) => (rule.because === null ? rule.id : []));
      assert.deepEqual(new Set(named).difference(new Set(decided)), new Set(), `order ${id}`);
    }
  }
}

const counter = (by: string, counts: string, window: object, at: number) => ({
  steps: {
    by,
    counts,
    window,
    steps: [
      { from: 0, percent: 5 },
      { from: at, percent: 15 },
    ],
  },
});

/** Rules whose outcome depends on the orders before. */
const RULES = [
  { what: { categories: ['c1'] }, rate: { excluded: true } },
  { order: { customer: 'first' }, what: { products: ['p1'] }, rate: { percent: 40 } },
  {
    what: { products: ['p2'] },
    rate: { percent: 30, fixed_per_product: 1.25 },
    limit: { amount: 40, per: 'customer', window: { kind: 'month' } },
  },
  { order: { payment: 'renewal' }, rate: { fixed_per_order: 3 }, limit: { payments: 4 } },
  {
    who: { affiliates: [idOf('maya')] },
    rate: counter('sales', 'granted', { kind: 'month' }, 300),
  },
  { order: { via: ['link'] }, rate: counter('orders', 'counted', { kind: 'days', days: 3 }, 2) },
  { rate: counter('commission', 'counted', { kind: 'quarter' }, 50), limit: { months: 1 } },
].map((rule, i) => ({ name: `Rule ${i + 1}`, ...rule }));

const COUNTS_NEW_CUSTOMERS = {
  name: 'New customers',
  position: 1,
  order: { min_total: 130 },
  rate: counter('new_customers', 'granted', { kind: 'always' }, 2),
};

/** Of these, all statements run on PostgreSQL too; the others differ in what the program computes from the same rows. */
const ON_SERVER = new Set<string>([
  'that let customers stay while they order',
  'held back, and customers stay',
  'that share it, with rules',
  'with a rule that counts new customers',
]);

describe('a batch has the same effect as its orders one by one', () => {
  for (const [name, settings, rules] of [
    ['as it is', {}, []],
    [
      'held back, and customers stay',
      { 'commission.delay_days': 2, 'attribution.lifetime': true },
      [],
    ],
    ['with rules', { 'commission.delay_days': 2 }, RULES],
    [
      'that let customers stay for two days',
      { 'attribution.lifetime': true, 'attribution.lifetime_days': 2 },
      [],
    ],
    [
      'that let customers stay while they order',
      {
        'attribution.lifetime': true,
        'attribution.lifetime_days': 2,
        'attribution.lifetime_extends': true,
      },
      [],
    ],
    ['that credit the first coupon', { 'attribution.several': 'first' }, []],
    ['that share the commission', { 'attribution.several': 'share' }, []],
    ['that share it, with rules', { 'attribution.several': 'share' }, RULES],
    ['with a rule that counts new customers', {}, [...RULES, COUNTS_NEW_CUSTOMERS]],
  ] as const) {
    const skip = !ON_SERVER.has(name) && skipOnServer('the statements are those of others');
    test(`every table and every response: settings ${name}`, { skip }, async () => {
      const [together, apart] = [
        await openStore(settings, rules),
        await openStore(settings, rules),
      ];
      for (const seed of [1, 2, 3]) {
        const orders = randomOrders(seed, 80, rules.length > 0);
        const { results } = await together.batch(orders);
        for (const one of inSequence(orders)) {
          const { status, body } = await apart.put(one);
          const { order_id, referrals } = body;
          assert.deepEqual(results[orders.indexOf(one)], { order_id, status, referrals });
        }
      }
      const [made, expected] = [await dumpOf(together.app), await dumpOf(apart.app)];
      for (const table of Object.keys(TABLES)) assertSame(made[table]!, expected[table]!, table);
      assert.ok(made['ledger']!.length > 100 && made['mla_shares']!.length > 10);
      const fields = ['click_id', 'visitor', 'referral_code', 'coupon_codes'];
      for (const field of rules.length > 0 ? ['subscription'] : fields) {
        const isCredited = (row: string) => row.includes(`"credited_by":"${field}"`);
        assert.ok(made['referrals']!.some(isCredited), field);
      }
      const isShared = (row: string) => /\\"share\\":\{\\"of\\":[23]/.test(row);
      const shares =
        'attribution.several' in settings && settings['attribution.several'] === 'share';
      assert.equal(made['referrals']!.some(isShared), shares);
      if (rules.length > 0) {
        assert.ok(made['limited_rewards']!.length > 5 && made['subscription_payments']!.length > 2);
        const used = new Set(
          made['referrals']!.flatMap((row) =>
            [...row.matchAll(/\\\\*"rule\\\\*":(\d+)/g)].map(([, id]) => id),
          ),
        );
        await assertExplained(together);
        assert.equal(used.size, rules.length, `rules that decided: ${[...used].sort().join()}`);
      }
      await together.verify();
    });
  }

  test('concurrent PUTs have the same effect as one after the other', async () => {
    const [together, apart] = [await openStore(), await openStore()];
    const orders = Array.from({ length: 60 }, (_, i) =>
      order(i + 1, { coupon_codes: [`SET${(i % 6) + 1}`, 'SET2'], total: i + 1, subtotal: i + 1 }),
    );
    const replies = await Promise.all(orders.map((one) => together.put(one)));
    assert.ok(replies.every(({ status }) => status === 201));
    for (const one of orders) await apart.put(one);
    const [made, expected] = [await dumpOf(together.app), await dumpOf(apart.app)];
    for (const table of ['orders', 'referrals', 'coupons', 'coupon_days', 'store_days']) {
      assertSame(made[table]!, expected[table]!, table);
    }
    await together.verify();
  });
});

describe('within one batch', () => {
  test('an order sees the changes of its earlier version, and only the last version is stored', async () => {
    const { app, key, batch, coupon, verify } = await openStore();
    const { results } = await batch([
      order(1, { status: 'processing' }),
      order(1),
      order(1),
      order(1, { refunds: [{ id: 1, amount: 50 }] }),
      order(1, { coupon_codes: ['SET3'] }),
    ]);
    assert.deepEqual(
      results.map((r: any) => [r.status, r.referrals.map((f: any) => [f.state, f.commission])]),
      [
        [201, [['awaiting', 10]]],
        [200, [['granted', 10]]],
        [200, [['granted', 10]]],
        [200, [['granted', 5]]],
        [
          200,
          [
            ['void', 0],
            ['granted', 12.5],
          ],
        ],
      ],
    );
    assert.deepEqual(
      [(await coupon('SET1')).unpaid_commission, (await coupon('SET3')).unpaid_commission],
      [0, 12.5],
    );
    const { body } = await app.call('/events?after=0&event=referral&per_page=100', { key });
    assert.deepEqual(
      body.map((event: any) => event.event.slice('referral.'.length)),
      ['created', 'updated', 'updated', 'reversed', 'created'],
    );
    await verify();
  });

  test('a customer of one order is known to the orders after it', async () => {
    const { batch } = await openStore({ 'attribution.lifetime': true });
    const [customer, other] = CUSTOMERS;
    const { results } = await batch([
      order(1, { coupon_codes: [], customer }),
      order(2, { coupon_codes: ['SET4'], customer }),
      order(3, { coupon_codes: [], customer }),
      order(4, { coupon_codes: ['SET5'], customer }),
      order(5, { coupon_codes: [], customer }),
      order(6, { coupon_codes: [], customer: other }),
    ]);
    assert.deepEqual(
      results.map((r: any) => r.referrals.map((f: any) => f.credited_via).join()),
      ['', 'coupon', 'lifetime', 'coupon', 'lifetime', ''],
    );
    const credited = (i: number) => results[i].referrals[0].coupon_id;
    assert.deepEqual([credited(2), credited(4)], [credited(1), credited(1)]);
  });

  test('a customer stays for the days that are set, and then with the next coupon', async () => {
    const settings = { 'attribution.lifetime': true, 'attribution.lifetime_days': 3 };
    for (const [extended, expected] of [
      [false, ['SET4', 'SET4', '', 'SET5', 'SET5']],
      [true, ['SET4', 'SET4', 'SET4', 'SET5', 'SET4']],
    ] as const) {
      const { app, key, batch } = await openStore({
        ...settings,
        'attribution.lifetime_extends': extended,
      });
      const [customer] = CUSTOMERS;
      const on = (id: number, day: number, codes: string[]) =>
        order(id, { date: `2026-03-${day}T12:00:00`, coupon_codes: codes, customer });
      const { results } = await batch([
        on(1, 10, ['SET4']),
        on(2, 13, []),
        on(3, 14, []),
        on(4, 15, ['SET5']),
        on(5, 16, []),
      ]);
      const codes = results.map(async ({ referrals: [first] }: any) =>
        first ? (await app.call(`/coupons/${first.coupon_id}`, { key })).body.code : '',
      );
      assert.deepEqual(await Promise.all(codes), expected);
    }
  });

  test('a rejected order in the middle does not affect the others', async () => {
    const { batch, coupon } = await openStore();
    const { results } = await batch([order(1), order(2, { total: 0.001 }), null, order(3)]);
    assert.deepEqual(
      results.map((r: any) => [r.order_id, r.status, r.referrals?.length]),
      [
        [1, 201, 1],
        [2, 400, undefined],
        [null, 400, undefined],
        [3, 201, 1],
      ],
    );
    assert.equal((await coupon('SET1')).unpaid_commission, 20);
  });

  test('a thousand orders of one coupon: the ledger has every running balance', async () => {
    const { app, batch, coupon, verify } = await openStore();
    const orders = Array.from({ length: 1_000 }, (_, i) =>
      order(i + 1, { coupon_codes: ['set2'] }),
    );
    const { results } = await batch(orders);
    assert.ok(results.every((r: any) => r.status === 201));
    const { id, stats, unpaid_commission } = await coupon('SET2');
    assert.deepEqual([stats.orders_count, unpaid_commission], [1_000, 10_000]);
    const after = await app.site.database.read.all(
      query<{ id: number }, { unpaid_after: number }>((db, p) =>
        db.selectFrom('ledger').select('unpaid_after').where('coupon_id', '=', p.id).orderBy('id'),
      ),
      { id },
    );
    assert.deepEqual(
      after.map((entry) => entry.unpaid_after),
      orders.map((_, i) => (i + 1) * 1_000),
    );
    await verify();
  });

  test('only an order with text that no database can store is rejected', async () => {
    const { batch, put } = await openStore();
    const odd = ['a\u0000b', '\ud800', 'é\u2028', '\\u0000'];
    const { results } = await batch(odd.map((code, i) => order(i + 1, { coupon_codes: [code] })));
    assert.deepEqual(
      results.map((r: any) => r.status),
      [400, 400, 201, 201],
    );
    assert.deepEqual(Object.keys(results[0].params), ['coupon_codes[0]']);
    for (const [i, code] of odd.entries()) {
      const { status } = await put(order(i + 1, { coupon_codes: [code, 'SET1'] }));
      assert.equal(status, i < 2 ? 400 : 200);
    }
  });
});

test('on PostgreSQL a batch of any size is a few statements', async () => {
  const { app, batch } = await openStore();
  if (app.databaseUrl === '') return;
  let last = 0;
  for (const count of [50, 500]) {
    const statements = await statementsOf(app.site.database, () =>
      batch(Array.from({ length: count }, () => order(++last, { coupon_codes: ['SET2'] }))),
    );
    assert.ok(statements < 40, `${statements} for ${count}`);
  }
});
