import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testServer } from '../../../test/postgres/databases.ts';
import { idOf, openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { query } from '../../db/statements/query.ts';
import { dryRun } from '../orders/index.ts';
import { rewardRules, type RewardRule } from '../rewards/index.ts';
import { saveSetting } from '../settings/index.ts';

/**
 * Tries new rules on the orders of an installation, and ingests the same orders into a second one in which these rules
 * are active: every referral must have the commission that the trial has computed. The orders before the period are
 * ingested with the old rules in both.
 */
const STORE = '/svc/store/v1';
/** Fewer on PostgreSQL: the rules are decided by the program, and a run opens two installations. */
const RUNS = testServer() === undefined ? 12 : 3;
const NOW = Date.parse('2026-02-20T12:00:00Z');
const FROM = '2025-12-10';
const TO = '2026-02-19';

const percent = fc.constantFrom(0, 5, 12.5, 30);
const window = fc.constantFrom(
  { kind: 'month' as const },
  { kind: 'quarter' as const },
  { kind: 'year' as const },
  { kind: 'always' as const },
  { kind: 'days' as const, days: 12 },
);
const rate: fc.Arbitrary<RewardRule['rate']> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ percent, fixed_per_product: fc.constantFrom(null, 0.35) }) },
  fc.record({ fixed_per_order: fc.constantFrom(0, 1.5) }),
  fc.constant({ excluded: true as const }),
  {
    weight: 3,
    arbitrary: fc
      .record({
        by: fc.constantFrom('sales', 'orders', 'new_customers', 'commission'),
        counts: fc.constantFrom('granted', 'counted'),
        window,
        unit: fc.constantFrom(1, 3),
      })
      .map(({ unit, ...rest }) => ({
        steps: {
          ...rest,
          steps: [
            { from: 0, percent: 4 },
            { from: unit * (rest.by === 'sales' ? 60 : 2), percent: 9 },
            { from: unit * (rest.by === 'sales' ? 200 : 5), percent: 21 },
          ],
        },
      })),
  },
);
const rule = fc.record({
  who: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constant({ groups: [1] }),
    fc.constant({ affiliates: [idOf('maya')] }),
    fc.constant({ coupons: [2] }),
  ),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constant({ categories: ['candles'] }),
    fc.constant({ products: ['2'] }),
  ),
  order: fc.record(
    {
      customer: fc.constantFrom('first' as const, 'repeat' as const),
      payment: fc.constantFrom('any' as const, 'renewal' as const),
      min_total: fc.constantFrom(0, 40),
    },
    { requiredKeys: [] },
  ),
  from: fc.constantFrom(null, '2026-01-01'),
  to: fc.constantFrom(null, null, '2026-02-01'),
  rate,
  limit: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    fc.constantFrom<RewardRule['limit']>({ payments: 2 }, { months: 1 }),
    fc.record({
      amount: fc.constantFrom(3, 12),
      per: fc.constantFrom('customer' as const, 'affiliate' as const),
      window,
    }),
  ),
  running: fc.boolean(),
});
const rules = (firstId: number) =>
  fc
    .array(rule, { minLength: 1, maxLength: 5 })
    .map((list) =>
      list.map((one, i): RewardRule => ({ id: firstId + i, name: '', active: true, ...one })),
    );

const order = fc.record({
  minute: fc.nat({ max: 130 * 24 * 60 }),
  status: fc.constantFrom('completed', 'completed', 'processing', 'cancelled', 'pending'),
  code: fc.constantFrom(['MAYA'], ['TOMAS'], ['TOMAS2'], ['MAYA', 'TOMAS'], []),
  customer: fc.constantFrom(1, 2, 3, 4, 5, 6, null),
  lines: fc.array(
    fc.record({ product: fc.constantFrom(1, 2, 3), cents: fc.integer({ min: 1, max: 9_999 }) }),
    { maxLength: 3 },
  ),
  refund: fc.constantFrom(0, 0, 0, 0.3, 1),
  subscription: fc.constantFrom(null, null, null, 's1', 's2'),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

/** The order as it is in the end, or as it was when it came in. */
function toOrder(given: Order, i: number, isFinal: boolean) {
  const { minute, status, code, customer, lines, refund, subscription } = given;
  const date = new Date(NOW - 86_400_000 - minute * 60_000).toISOString();
  const goods = lines.reduce((sum, { cents }) => sum + cents, 0) || 2_500;
  return {
    order_id: i + 1,
    date,
    status: isFinal ? status : 'pending',
    total: (goods + 500) / 100,
    shipping: 5,
    coupon_codes: code,
    items: lines.map(({ product, cents }) => ({
      product_id: product,
      category_ids: product === 3 ? ['candles'] : [],
      quantity: 1,
      subtotal: cents / 100,
      total: cents / 100,
    })),
    refunds:
      isFinal && refund > 0 ? [{ id: 1, amount: Math.floor((goods + 500) * refund) / 100 }] : [],
    ...(customer !== null && { customer: { email: `c${customer}@shop.example` } }),
    ...(subscription && { subscription: { id: subscription } }),
  };
}

const insertRule = query<{ id: number; position: number; content: string }>((db, p) =>
  db.insertInto('reward_rules').values({
    id: p.id,
    position: p.position,
    content: p.content,
    version: 1,
    created_at: 0,
    updated_at: 0,
  }),
);

const earned = query<object, { order_id: number; coupon_id: number; commission: number }>((db) =>
  db
    .selectFrom('referrals')
    .select(['order_id', 'coupon_id', 'commission'])
    .where('dropped', '=', 0)
    .where('day', '>=', FROM)
    .where('day', '<=', TO),
);

let version = 0;

class Installation {
  readonly app: TestApp;
  readonly #key: string;

  static async open(several: string): Promise<Installation> {
    const app = await openTestApp({ settings: { 'attribution.several': several } });
    const key = await app.key('admin', 'read,write,manage');
    const installation = new Installation(app, key);
    await installation.#post('/groups', { name: 'Gold', percent_override: 11 });
    for (const [code, login] of [
      ['MAYA', 'maya'],
      ['TOMAS', 'tomas'],
      ['TOMAS2', 'tomas'],
    ] as const) {
      await installation.#post('/coupons', { code, user_id: idOf(login) });
    }
    await app.site.database.transaction((tx) =>
      tx.execute(`insert into affiliate_groups (user_id, group_id) values (${idOf('tomas')}, 1)`),
    );
    return installation;
  }

  private constructor(app: TestApp, key: string) {
    this.app = app;
    this.#key = key;
  }

  async #post(path: string, json: object): Promise<void> {
    const { status, text } = await this.app.call(`${STORE}${path}`, {
      method: 'POST',
      key: this.#key,
      json,
    });
    assert.ok(status < 300, text);
  }

  async setRules(list: readonly RewardRule[]): Promise<void> {
    await this.app.site.database.transaction(async (tx) => {
      await tx.execute('delete from reward_rules');
      for (const [position, { id, ...content }] of list.entries()) {
        await tx.run(insertRule, { id, position, content: JSON.stringify(content) });
      }
    });
    version += 1;
    const { site } = this.app;
    await site.database.transaction((tx) =>
      saveSetting(tx, site, rewardRules.version, version, { userId: 1, nowMs: site.clock() }),
    );
    site.settings.apply([[rewardRules.version.key, version]], { whole: false });
  }

  async ingest(orders: readonly ReturnType<typeof toOrder>[]): Promise<void> {
    for (const json of orders) {
      const { order_id, ...body } = json;
      const path = `${STORE}/orders/${order_id}`;
      const { status, text } = await this.app.call(path, {
        method: 'PUT',
        key: this.#key,
        json: body,
      });
      assert.ok(status < 300, text);
    }
  }
}

describe('a trial of rewards', () => {
  test('computes to the cent what the same orders earn where the rules are active', async () => {
    await fc.assert(
      fc.asyncProperty(
        rules(1),
        rules(101),
        fc.array(order, { minLength: 40, maxLength: 60 }),
        fc.boolean(),
        fc.constantFrom('each', 'share'),
        async (old, changed, drawn, keepsFirst, several) => {
          // A rule that stays keeps its limits.
          const list = keepsFirst ? [...changed, old[0]!] : changed;
          const inSequence = drawn
            .map((one, i) => ({ one, i, date: toOrder(one, i, true).date }))
            .sort((a, b) => a.date.localeCompare(b.date) || a.i - b.i);
          const final = inSequence.map(({ one, i }) => toOrder(one, i, true));
          const isEarlier = ({ date }: { date: string }) => date < `${FROM}T00:00:00`;
          const first = await Installation.open(several);
          await first.setRules(old);
          await first.ingest(final.filter(isEarlier));
          // They come in as they are placed, and some are refunded, paid or cancelled later.
          const later = inSequence.filter((one) => !isEarlier(one));
          await first.ingest(later.map(({ one, i }) => toOrder(one, i, i % 2 === 0)));
          await first.ingest(final.filter((one) => !isEarlier(one)));

          const plan = { from: FROM, to: TO, rules: list, settings: { 'commission.percent': 8 } };
          const pages = await Array.fromAsync(dryRun(first.app.site, plan));
          const found = pages.flatMap(({ tried }) => tried);

          const second = await Installation.open(several);
          await second.setRules(old);
          await second.ingest(final.filter(isEarlier));
          await second.setRules(list);
          await second.app.set({ 'commission.percent': 8 });
          await second.ingest(final.filter((one) => !isEarlier(one)));

          const after = new Map(found.map((one) => [`${one.orderId} ${one.couponId}`, one.after]));
          for (const row of await second.app.site.database.read.all(earned, {})) {
            const key = `${row.order_id} ${row.coupon_id}`;
            assert.equal(after.get(key) ?? 0, row.commission, `order and coupon ${key}`);
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
