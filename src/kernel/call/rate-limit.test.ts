import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../test/support/seeded-random.ts';
import { MemoryRateLimitStore, WINDOW_MS } from './rate-limit.ts';

/** A store whose clock each call sets. */
function newStore() {
  let now = 0;
  const store = new MemoryRateLimitStore(() => now);
  return {
    take(identity: string, limit: number, nowMs: number) {
      now = nowMs;
      return store.take(identity, limit);
    },
  };
}

describe('MemoryRateLimitStore', () => {
  test('allows as many requests as the limit in a window, and returns the rest', () => {
    const store = newStore();
    for (let i = 1; i <= 3; i++) {
      assert.deepEqual(store.take('a', 3, 0), {
        allowed: true,
        remaining: 3 - i,
        resetMs: WINDOW_MS,
      });
    }
    assert.deepEqual(store.take('a', 3, 1_000), {
      allowed: false,
      remaining: 0,
      resetMs: WINDOW_MS - 1_000,
    });
  });

  test('a window begins with the first request and ends a minute later', () => {
    const store = newStore();
    assert.ok(store.take('a', 1, 500).allowed);
    assert.ok(!store.take('a', 1, 500 + WINDOW_MS - 1).allowed);
    assert.ok(store.take('a', 1, 500 + WINDOW_MS).allowed);
  });

  test('each identity has its own', () => {
    const store = newStore();
    assert.ok(store.take('a', 1, 0).allowed);
    assert.ok(store.take('b', 1, 0).allowed);
    assert.ok(!store.take('a', 1, 0).allowed);
  });

  test('a changed limit counts for the running window', () => {
    const store = newStore();
    for (let i = 0; i < 3; i++) store.take('a', 3, 0);
    assert.ok(!store.take('a', 3, 0).allowed);
    assert.ok(store.take('a', 10, 0).allowed);
    assert.ok(!store.take('a', 2, 0).allowed);
  });

  test('however requests come, no window of a minute from its first allows more than the limit', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (waits, limit) => {
        const store = newStore();
        let now = 0;
        let began = Number.NEGATIVE_INFINITY;
        let allowed = 0;
        for (const wait of waits) {
          now += wait;
          if (now - began >= WINDOW_MS) [began, allowed] = [now, 0];
          if (store.take('a', limit, now).allowed) allowed += 1;
          assert.ok(allowed <= limit);
        }
      }),
    );
  });

  test('windows that have ended are deleted when the store is full', () => {
    const store = newStore();
    for (let i = 0; i < 100_001; i++) store.take(`old ${i}`, 1, 0);
    assert.ok(store.take('new', 1, WINDOW_MS).allowed);
    assert.ok(store.take('old 0', 1, WINDOW_MS).allowed);
  });
});
