import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fc } from '../../test/support/seeded-random.ts';
import { WINDOW_MS, type Allowance } from '../kernel/call/rate-limit.ts';
import { LeasedRateLimits, leaseSize, type SharedCounter } from './leased-rate-limits.ts';

/** A counter that several stores share. It has its own clock and can be unreachable. */
class Counter implements SharedCounter {
  isUp = true;
  nowMs = 0;
  calls: number[] = [];
  fallbacks = 0;
  #windows = new Map<string, { count: number; endsMs: number }>();

  async add(identity: string, units: number): Promise<{ count: number; resetMs: number }> {
    this.calls.push(units);
    await setImmediate();
    if (!this.isUp) throw new Error('unreachable');
    let window = this.#windows.get(identity);
    if (!window || window.endsMs <= this.nowMs)
      window = { count: 0, endsMs: this.nowMs + WINDOW_MS };
    this.#windows.set(identity, window);
    window.count += units;
    return { count: window.count, resetMs: window.endsMs - this.nowMs };
  }

  noteFallback(): void {
    this.fallbacks += 1;
  }

  flush(): void {
    this.#windows.clear();
  }
}

function instances(howMany: number): { counter: Counter; stores: LeasedRateLimits[] } {
  const counter = new Counter();
  const store = () => new LeasedRateLimits(counter, () => counter.nowMs);
  return { counter, stores: Array.from({ length: howMany }, store) };
}

function one() {
  const { counter, stores } = instances(1);
  const take = (limit: number) => stores[0]!.take('maya', limit);
  const times = async (howOften: number, limit: number): Promise<Allowance[]> => {
    const answers = [];
    for (let i = 0; i < howOften; i++) answers.push(await take(limit));
    return answers;
  };
  return { counter, take, times };
}

const allowedOf = (answers: Allowance[]) => answers.filter(({ allowed }) => allowed).length;

describe('the size of a lease', () => {
  const cases: [string, Parameters<typeof leaseSize>[0], number][] = [
    ['at first, the requested units', { waiting: 1, used: 0, left: 1_000 }, 1],
    ['as many as were used before', { waiting: 1, used: 8, left: 1_000 }, 8],
    ['up to a hundred', { waiting: 1, used: 9_000, left: 100_000 }, 100],
    ['at most a sixteenth of the rest', { waiting: 1, used: 80, left: 80 }, 5],
    ['one near the limit', { waiting: 1, used: 100, left: 20 }, 1],
    ['as many as are waiting', { waiting: 50, used: 0, left: 60 }, 50],
    ['but not more than the rest', { waiting: 50, used: 0, left: 20 }, 20],
  ];
  for (const [name, given, units] of cases) {
    test(name, () => assert.equal(leaseSize(given), units));
  }
});

describe('one instance', () => {
  test('is exact, and reports the remaining requests as if it counted alone', async () => {
    const { times } = one();
    const answers = await times(125, 120);
    assert.deepEqual(
      answers.map(({ allowed, remaining }) => [allowed, remaining]),
      Array.from({ length: 125 }, (_, i) => [i < 120, Math.max(0, 119 - i)]),
    );
    assert.ok(answers.every(({ resetMs }) => resetMs === WINDOW_MS));
  });

  test('rarely leases units far from the limit, and does not wait in between', async () => {
    const { counter, take, times } = one();
    await times(1_000, 1_000_000);
    assert.ok(counter.calls.length < 20, `${counter.calls.length} calls`);
    assert.ok(!(take(1_000_000) instanceof Promise));
  });

  test('makes no calls after a refusal until the window ends', async () => {
    const { counter, times } = one();
    await times(5, 5);
    counter.calls = [];
    assert.equal(allowedOf(await times(50, 5)), 0);
    assert.deepEqual(counter.calls, []);
    counter.nowMs += WINDOW_MS;
    assert.equal(allowedOf(await times(50, 5)), 5);
  });

  test('concurrent requests make few calls, and are counted one by one', async () => {
    const { counter, take } = one();
    const answers = await Promise.all(Array.from({ length: 150 }, async () => take(120)));
    assert.equal(allowedOf(answers), 120);
    assert.ok(counter.calls.length <= 3, `${counter.calls.length} calls`);
    assert.equal(
      counter.calls.reduce((a, b) => a + b),
      120,
      'and lease no more than the rest',
    );
  });

  test('follows the limit up and down', async () => {
    const { times } = one();
    assert.equal(allowedOf(await times(130, 120)), 120);
    assert.equal(allowedOf(await times(100, 200)), 80);
    assert.equal(allowedOf(await times(5, 120)), 0);
    assert.equal(allowedOf(await times(5, 203)), 3);
  });
});

describe('unreachable', () => {
  test('each instance continues locally with its last known count', async () => {
    const { counter, take, times } = one();
    await times(100, 120);
    counter.isUp = false;
    const answer = take(120);
    assert.ok(!(answer instanceof Promise));
    assert.equal(allowedOf(await times(50, 120)), 19);
    assert.equal(counter.fallbacks, 51);
  });

  test('requests that wait when it fails are counted locally', async () => {
    const { counter, take } = one();
    const waiting = Array.from({ length: 10 }, async () => take(4));
    counter.isUp = false;
    assert.equal(allowedOf(await Promise.all(waiting)), 4);
    assert.equal(counter.fallbacks, 10);
  });

  test('requests allowed in the meantime are added when it is back', async () => {
    const { counter, stores } = instances(2);
    const take = (store: LeasedRateLimits) => store.take('maya', 120);
    counter.isUp = false;
    for (let i = 0; i < 100; i++) await take(stores[0]!);
    counter.isUp = true;
    assert.equal((await take(stores[0]!)).remaining, 19);
    assert.equal((await take(stores[1]!)).remaining < 20, true);
  });

  test('an emptied counter starts a new window', async () => {
    const { counter, times } = one();
    await times(10, 120);
    counter.flush();
    const [first] = await times(1, 120);
    assert.equal(first!.allowed, true);
  });
});

describe('several instances', () => {
  test('allow exactly the limit when all of them get more requests', async () => {
    const { stores } = instances(3);
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => stores[i % 3]!.take('maya', 120)),
    );
    assert.equal(allowedOf(answers), 120);
  });

  test('with round-robin requests: exactly the limit', async () => {
    for (const limit of [1, 5, 30, 120, 1_000]) {
      const { stores } = instances(4);
      let allowed = 0;
      for (let i = 0; i < limit * 2; i++) {
        if ((await stores[i % 4]!.take('maya', limit)).allowed) allowed += 1;
      }
      assert.equal(allowed, limit);
    }
  });

  test('with any distribution: never more than the limit, and little less', async () => {
    const steps = fc.array(
      fc.record({
        store: fc.nat({ max: 2 }),
        burst: fc.integer({ min: 1, max: 40 }),
        settle: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 300 }), async (plan, limit) => {
        const { stores } = instances(3);
        const answers: Promise<Allowance>[] = [];
        const take = async (store: number) => stores[store]!.take('maya', limit);
        for (const { store, burst, settle } of plan) {
          for (let i = 0; i < burst; i++) {
            answers.push(take(store));
          }
          if (settle) await Promise.all(answers);
        }
        const allowed = allowedOf(await Promise.all(answers));
        assert.ok(allowed <= limit, `${allowed} of ${limit}`);
        const idle = 2 * Math.floor(limit / 16);
        assert.ok(allowed >= Math.min(limit, answers.length) - idle, `${allowed} of ${limit}`);
      }),
      { numRuns: 200 },
    );
  });
});
