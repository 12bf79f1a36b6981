import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBonuses } from '../src/modules/bonuses/check-bonuses.ts';
import { releaseHeld } from '../src/modules/orders/index.ts';
import { testServer } from './postgres/databases.ts';
import { openTestApp } from './support/harness.ts';
import { openSecondProcess } from './support/second-process.ts';
import { fc } from './support/seeded-random.ts';

/**
 * Random histories of orders, refunds, cancellations and passing days: what bonuses have brought a coupon, held and
 * payable, must be what a reference says that knows nothing but the history.
 */
const STORE = '/svc/store/v1';
const DAY_MS = 24 * 60 * 60_000;
const RUNS = testServer() === undefined ? 20 : 6;
const START = '2026-10-20T12:00:00Z';

const app = await openTestApp({ config: { timezone: 'UTC' } });
const key = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
  assert.ok(reply.status < 300, `${path} ${reply.text}`);
  return reply.body;
};
let runs = 0;

const bonusTerms = fc.record({
  by: fc.constantFrom('sales' as const, 'orders' as const),
  counts: fc.constantFrom('granted' as const, 'counted' as const),
  window: fc.constantFrom('month' as const, 'quarter' as const, 'always' as const),
  once: fc.constantFrom('window' as const, 'ever' as const),
  percent: fc.boolean(),
  sales: fc.integer({ min: 5_000, max: 60_000 }),
  orders: fc.integer({ min: 1, max: 4 }),
});
type Terms = typeof bonusTerms extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      order: fc.nat(5),
      goods: fc.integer({ min: 0, max: 50_000 }),
      refund: fc.oneof(fc.constant(0), fc.nat(50_000)),
      status: fc.constantFrom('processing', 'completed', 'completed', 'completed', 'cancelled'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Order {
  day: string;
  status: string;
  sales: number;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The months of a window as a prefix of days, and the first day after it. */
function windowOf(kind: Terms['window'], day: string): { key: string; end: string } {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  if (kind === 'always') return { key: 'always', end: '' };
  const first = kind === 'month' ? month : month - ((month - 1) % 3);
  const end = dayOf(Date.UTC(year, first - 1 + (kind === 'month' ? 1 : 3), 1));
  return { key: `${year}-${first}`, end };
}

/** What the page says: paid when reached, or when the window has ended; taken back while it is held; then it stays. */
class Reference {
  readonly #terms: Terms;
  readonly #delayDays: number;
  readonly orders = new Map<number, Order>();
  readonly #paid = new Map<
    string,
    { window: string; amount: number; releaseAt: number; granted: boolean }
  >();

  constructor(terms: Terms, delayDays: number) {
    this.#terms = terms;
    this.#delayDays = delayDays;
  }

  #sum(window: string, of: 'sales' | 'orders'): number {
    let sum = 0;
    for (const { day, status, sales } of this.orders.values()) {
      if (windowOf(this.#terms.window, day).key !== window) continue;
      const statuses =
        this.#terms.counts === 'granted' ? ['completed'] : ['completed', 'processing'];
      if (statuses.includes(status)) sum += of === 'sales' ? sales : 1;
    }
    return sum;
  }

  #isReached(window: string): boolean {
    const { by } = this.#terms;
    return this.#sum(window, by) >= this.#terms[by];
  }

  look(nowMs: number): void {
    for (const [name, payment] of this.#paid) {
      if (payment.granted) continue;
      if (!this.#isReached(payment.window)) this.#paid.delete(name);
      else if (payment.releaseAt <= nowMs) payment.granted = true;
    }
    const windows = [...this.orders.values()]
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .map(({ day }) => windowOf(this.#terms.window, day));
    for (const { key: window, end } of windows) {
      const name = this.#terms.once === 'ever' ? 'ever' : window;
      if (this.#paid.has(name) || !this.#isReached(window)) continue;
      if (isPercent(this.#terms) && dayOf(nowMs) < end) continue;
      // 2.5 %, half a cent is rounded up.
      const share = Math.floor((this.#sum(window, 'sales') * 25 + 500) / 1000);
      const amount = isPercent(this.#terms) ? share : 700;
      if (amount === 0) continue;
      const releaseAt = nowMs + this.#delayDays * DAY_MS;
      this.#paid.set(name, { window, amount, releaseAt, granted: this.#delayDays === 0 });
    }
  }

  sums() {
    const sums = { awaiting: 0, unpaid: 0 };
    for (const { amount, granted } of this.#paid.values()) {
      sums[granted ? 'unpaid' : 'awaiting'] += amount;
    }
    return sums;
  }
}

const isPercent = ({ percent, window }: Terms) => percent && window !== 'always';

async function ledgerSums(couponId: number) {
  const sums: Record<string, number> = { awaiting: 0, unpaid: 0 };
  for (const entry of await send('GET', `/coupons/${couponId}/ledger?per_page=100`)) {
    if (entry.kind !== 'bonus') continue;
    const amount = Math.round(entry.amount * 100);
    if (entry.from !== 'earned') sums[entry.from]! -= amount;
    sums[entry.to]! += amount;
  }
  return sums;
}

async function play(terms: Terms, delayDays: number, steps: readonly Step[]): Promise<void> {
  const run = ++runs;
  app.setClock(Date.parse(START) - app.site.clock());
  await app.set({ 'commission.delay_days': delayDays });
  const login = `person${run}`;
  const json = { login, email: `${login}@test.example`, display_name: login };
  const { id } = await send('POST', '/affiliates', json);
  const codes = [`A${run}`, `B${run}`];
  const coupon = await send('POST', '/coupons', { code: codes[0], user_id: id });
  await send('POST', '/coupons', { code: codes[1], user_id: id });
  const { by, counts, window } = terms;
  const at = by === 'sales' ? terms.sales / 100 : terms.orders;
  const bonus = await send('POST', '/rewards/bonuses', {
    name: `Bonus ${run}`,
    who: { affiliates: [id] },
    target: { by, counts, window: { kind: window }, at },
    once: terms.once,
    pays: isPercent(terms) ? { percent: 2.5, of: 'sales' } : { amount: 7 },
  });
  const reference = new Reference(terms, delayDays);
  for (const one of steps) {
    if (one.do === 'wait') app.advance(one.days * DAY_MS);
    else {
      const { order, goods, status } = one;
      const day = reference.orders.get(order)?.day ?? dayOf(app.site.clock());
      const refund = Math.min(one.refund, goods);
      reference.orders.set(order, { day, status, sales: goods - refund });
      await send('PUT', `/orders/${run * 10 + order}`, {
        date: `${day}T10:00:00`,
        status,
        subtotal: goods / 100,
        total: goods / 100,
        coupon_codes: [codes[order % 2]],
        refunds: refund === 0 ? [] : [{ id: 1, amount: refund / 100 }],
      });
    }
    await Promise.all([checkBonuses.run(app.site), checkBonuses.run(app.site)]);
    await releaseHeld.run(app.site);
    reference.look(app.site.clock());
    assert.deepEqual(await ledgerSums(coupon.id), reference.sums());
  }
  const balance = await send('GET', `/affiliates/${id}/balance`);
  const { earned, on_hold, available, on_its_way, paid, taken_back } = balance;
  const cents = (amount: number) => Math.round(amount * 100);
  assert.equal(cents(earned), cents(on_hold + available + on_its_way + paid - taken_back));
  const { ok, differences } = await send('GET', '/ledger/verify');
  assert.ok(ok, JSON.stringify(differences));
  await send('DELETE', `/rewards/bonuses/${bonus.id}`);
}

test('the ledger has what the history of orders and days says', async () => {
  await fc.assert(
    fc.asyncProperty(
      bonusTerms,
      fc.constantFrom(0, 3, 14),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      play,
    ),
    { numRuns: RUNS },
  );
});

test('two processes that run the job at the same time pay once', async () => {
  await app.set({ 'commission.delay_days': 0 });
  const second = await openSecondProcess(app);
  const json = { login: 'twice', email: 'twice@test.example', display_name: 'twice' };
  const { id } = await send('POST', '/affiliates', json);
  const coupon = await send('POST', '/coupons', { code: 'TWICE', user_id: id });
  await send('POST', '/rewards/bonuses', {
    name: 'Orders',
    target: { by: 'orders', counts: 'granted', window: { kind: 'always' }, at: 3 },
    pays: { amount: 7 },
  });
  const day = dayOf(app.site.clock());
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      await send('PUT', `/orders/${900_000 + i}`, {
        date: `${day}T10:00:00`,
        status: 'completed',
        subtotal: 10,
        total: 10,
        coupon_codes: ['TWICE'],
      });
      await Promise.all([checkBonuses.run(app.site), checkBonuses.run(second)]);
    }),
  );
  await Promise.all([checkBonuses.run(app.site), checkBonuses.run(second)]);
  assert.deepEqual(await ledgerSums(coupon.id), { awaiting: 0, unpaid: 700 });
});
