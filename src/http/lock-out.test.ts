import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LockOut } from './lock-out.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Fails so many times, a second apart, and gives the time after the last. */
function fail(lockOut: LockOut, address: string, times: number, fromMs: number): number {
  for (let i = 0; i < times; i++) lockOut.fail(address, fromMs + i * SECOND);
  return fromMs + (times - 1) * SECOND;
}

describe('LockOut', () => {
  test('nobody waits who has not failed', () => {
    assert.equal(new LockOut().remainingMs('192.0.2.1', 0), 0);
  });

  test('ten failures within five minutes make a minute of waiting', () => {
    const lockOut = new LockOut();
    const now = fail(lockOut, '192.0.2.1', 9, 0);
    assert.equal(lockOut.remainingMs('192.0.2.1', now), 0);
    lockOut.fail('192.0.2.1', now);
    assert.equal(lockOut.remainingMs('192.0.2.1', now), MINUTE);
    assert.equal(lockOut.remainingMs('192.0.2.1', now + MINUTE - 1), 1);
    assert.equal(lockOut.remainingMs('192.0.2.1', now + MINUTE), 0);
  });

  test('the five minutes slide', () => {
    const lockOut = new LockOut();
    for (let i = 0; i < 100; i++) lockOut.fail('192.0.2.1', i * 34 * SECOND);
    assert.equal(lockOut.remainingMs('192.0.2.1', 99 * 34 * SECOND), 0, 'nine in five minutes');
  });

  test('the wait doubles up to an hour', () => {
    const lockOut = new LockOut();
    let now = 0;
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      now = fail(lockOut, '192.0.2.1', 10, now);
      assert.equal(lockOut.remainingMs('192.0.2.1', now), minutes * MINUTE);
      now += minutes * MINUTE;
    }
  });

  test('a quiet day is forgiven', () => {
    const lockOut = new LockOut();
    let now = fail(lockOut, '192.0.2.1', 10, 0);
    now = fail(lockOut, '192.0.2.1', 10, now + 25 * HOUR);
    assert.equal(lockOut.remainingMs('192.0.2.1', now), MINUTE);
  });

  test('half a quiet day is not', () => {
    const lockOut = new LockOut();
    let now = fail(lockOut, '192.0.2.1', 10, 0);
    now = fail(lockOut, '192.0.2.1', 10, now + 12 * HOUR);
    assert.equal(lockOut.remainingMs('192.0.2.1', now), 2 * MINUTE);
  });

  test('an IPv4 address stands for itself', () => {
    const lockOut = new LockOut();
    const now = fail(lockOut, '192.0.2.1', 10, 0);
    assert.equal(lockOut.remainingMs('192.0.2.2', now), 0);
  });

  test('an IPv6 address stands for its /64, however it is written', () => {
    const lockOut = new LockOut();
    const now = fail(lockOut, '2001:db8:0:1::1', 10, 0);
    for (const same of [
      '2001:db8:0:1::2',
      '2001:db8:0:1:ffff:ffff:ffff:ffff',
      '2001:0db8:0000:0001:0000:0000:0000:0001',
      '2001:DB8:0:1::a',
      '2001:db8:0:1:5::',
    ]) {
      assert.equal(lockOut.remainingMs(same, now), MINUTE, same);
    }
    for (const other of ['2001:db8:0:2::1', '2001:db8::1', '2001:db8:1::1', '::1']) {
      assert.equal(lockOut.remainingMs(other, now), 0, other);
    }
  });

  test('memory is bounded, and who is locked stays locked', () => {
    const lockOut = new LockOut();
    const now = Date.now();
    for (let i = 0; i < 10; i++) lockOut.fail('192.0.2.1', now);
    for (let i = 0; i < 120_000; i++) {
      lockOut.fail(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, now);
    }
    assert.equal(lockOut.remainingMs('192.0.2.1', now), MINUTE);
    for (let i = 0; i < 10; i++) lockOut.fail('192.0.2.2', now);
    assert.equal(lockOut.remainingMs('192.0.2.2', now), MINUTE, 'newcomers are still counted');
  });

  test('others learn of every failure, and of the wait that the last one brings', () => {
    const lockOut = new LockOut();
    const told: [string, number][] = [];
    lockOut.onFailure((network, waitMs) => told.push([network, waitMs]));
    fail(lockOut, '2001:db8:0:1::1', 10, 0);
    assert.deepEqual(told.at(-1), ['2001:db8:0:1', MINUTE]);
    assert.deepEqual(
      told.slice(0, -1),
      Array.from({ length: 9 }, () => ['2001:db8:0:1', 0]),
    );
  });

  test('what others have counted is in force here, and never makes a wait shorter', () => {
    const lockOut = new LockOut();
    lockOut.lock({ network: '192.0.2.1', wait: 4 * MINUTE, following: 8 * MINUTE }, 0);
    lockOut.lock({ network: '192.0.2.1', wait: MINUTE, following: 2 * MINUTE }, 0);
    assert.equal(lockOut.remainingMs('192.0.2.1', 0), 4 * MINUTE);
    assert.deepEqual(lockOut.locked(MINUTE), [
      { network: '192.0.2.1', wait: 3 * MINUTE, following: 8 * MINUTE },
    ]);
    assert.deepEqual(lockOut.locked(4 * MINUTE), []);
    const now = fail(lockOut, '192.0.2.1', 10, 4 * MINUTE);
    assert.equal(lockOut.remainingMs('192.0.2.1', now), 8 * MINUTE);
  });
});
