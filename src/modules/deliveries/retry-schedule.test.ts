import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS } from '../../shared/durations.ts';
import type { Receiver } from './delivery-columns.ts';
import { afterAttempt, reactivated } from './health.ts';
import { retryAfterMs, RETRY_DELAYS_MS, retryDelayMs } from './retry-schedule.ts';

describe('the schedule', () => {
  test('is the documented one', () => {
    assert.equal(RETRY_DELAYS_MS.length + 1, 10);
    const delays = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'];
    const unit = { s: 1_000, m: 60_000, h: HOUR_MS };
    const expected = delays.map((d) => Number.parseInt(d) * unit[d.at(-1) as 's' | 'm' | 'h']);
    assert.deepEqual(RETRY_DELAYS_MS, expected);
  });

  test('has a jitter of 20 percent', () => {
    assert.equal(
      retryDelayMs(1, () => 0),
      4_000,
    );
    assert.equal(
      retryDelayMs(1, () => 0.5),
      5_000,
    );
    assert.equal(
      retryDelayMs(9, () => 1),
      24 * HOUR_MS * 1.2,
    );
  });

  test('ends after the tenth attempt', () => {
    assert.equal(retryDelayMs(10), undefined);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  for (const [header, ms] of [
    ['120', 120_000],
    ['Mon, 01 Jun 2026 12:05:00 GMT', 300_000],
    ['7200', 2 * HOUR_MS],
    ['99999999', 24 * HOUR_MS],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 24 * HOUR_MS],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Mon, 01 Jun 2026 11:00:00 GMT', undefined],
    [undefined, undefined],
  ] as const) {
    test(`${header}: ${ms}`, () => assert.equal(retryAfterMs(header, now), ms));
  }
});

describe('the health of a receiver', () => {
  const fresh: Receiver = {
    id: 1,
    url: 'https://receiver.example/',
    status: 'active',
    failures: 0,
    failing_since: null,
    paused_until: 0,
    last_delivery_at: null,
    last_error: '',
  };
  const rule = { failures: 25, forMs: 24 * HOUR_MS };
  const failure = (atMs: number) =>
    ({ atMs, code: 500, error: 'The receiver answered 500.', retryAfterMs: undefined }) as const;
  const success = (atMs: number) =>
    ({ atMs, code: 200, error: '', retryAfterMs: undefined }) as const;
  const after = (...signs: Parameters<typeof afterAttempt>[1][]) =>
    signs.reduce((receiver, sign) => afterAttempt(receiver, sign, rule), fresh);
  const failures = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, i) => failure(1 + i * everyMs));

  test('failures are counted, a success resets them', () => {
    const failing = after(failure(1), failure(2));
    assert.deepEqual([failing.failures, failing.failing_since], [2, 1]);
    const { failures: none, failing_since, last_error } = after(failure(1), success(2));
    assert.deepEqual([none, failing_since, last_error], [0, null, '']);
  });

  test('from the third failure on it is probed after a pause that grows to a minute', () => {
    const pauses = [2, 3, 4, 5, 6, 7, 30].map((n) => {
      const { paused_until, last_delivery_at } = after(...failures(n, 1));
      return paused_until - last_delivery_at!;
    });
    assert.deepEqual(pauses, [0, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('25 failures within a day do not disable it, nor do 24 over days', () => {
    assert.equal(after(...failures(25, HOUR_MS - 1)).status, 'active');
    assert.equal(after(...failures(1_000, 60_000)).status, 'active');
    assert.equal(after(...failures(24, 3 * HOUR_MS)).status, 'active');
  });

  test('25 failures over a day do', () => {
    assert.equal(after(...failures(25, HOUR_MS)).status, 'disabled');
    assert.equal(after(...failures(1_441, 60_000)).status, 'disabled');
  });

  test('a success in between restarts the day', () => {
    const signs = [...failures(20, HOUR_MS), success(21 * HOUR_MS)];
    const more = failures(24, HOUR_MS).map((sign) => ({ ...sign, atMs: sign.atMs + 22 * HOUR_MS }));
    assert.equal(after(...signs, ...more).status, 'active');
  });

  test('410 disables it immediately', () => {
    assert.equal(after({ ...failure(1), code: 410 }).status, 'disabled');
  });

  test('activating resets the failures', () => {
    const receiver = reactivated(after(...failures(25, HOUR_MS)));
    assert.deepEqual(receiver, { ...fresh, last_delivery_at: 1 + 24 * HOUR_MS });
  });
});
