import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LockOut } from './lock-out.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A lock-out with a clock that tests move. */
class TestLockOut extends LockOut {
  nowMs = 0;

  constructor() {
    super(() => this.nowMs);
  }

  /** Fails the given number of times, a second apart. The clock stops at the last failure. */
  failTimes(address: string, times: number): void {
    for (let i = 0; i < times; i++) {
      if (i > 0) this.nowMs += SECOND;
      this.fail(address);
    }
  }
}

describe('LockOut', () => {
  test('without failures there is no wait', () => {
    assert.equal(new TestLockOut().remainingMs('192.0.2.1'), 0);
  });

  test('ten failures within five minutes make a minute of waiting', () => {
    const lockOut = new TestLockOut();
    lockOut.failTimes('192.0.2.1', 9);
    assert.equal(lockOut.remainingMs('192.0.2.1'), 0);
    lockOut.fail('192.0.2.1');
    assert.equal(lockOut.remainingMs('192.0.2.1'), MINUTE);
    lockOut.nowMs += MINUTE - 1;
    assert.equal(lockOut.remainingMs('192.0.2.1'), 1);
    lockOut.nowMs += 1;
    assert.equal(lockOut.remainingMs('192.0.2.1'), 0);
  });

  test('the five minutes slide', () => {
    const lockOut = new TestLockOut();
    for (let i = 0; i < 100; i++) {
      lockOut.nowMs = i * 34 * SECOND;
      lockOut.fail('192.0.2.1');
    }
    assert.equal(lockOut.remainingMs('192.0.2.1'), 0, 'nine in five minutes');
  });

  test('the wait doubles up to an hour', () => {
    const lockOut = new TestLockOut();
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      lockOut.failTimes('192.0.2.1', 10);
      assert.equal(lockOut.remainingMs('192.0.2.1'), minutes * MINUTE);
      lockOut.nowMs += minutes * MINUTE;
    }
  });

  test('a quiet day is forgiven', () => {
    const lockOut = new TestLockOut();
    lockOut.failTimes('192.0.2.1', 10);
    lockOut.nowMs += 25 * HOUR;
    lockOut.failTimes('192.0.2.1', 10);
    assert.equal(lockOut.remainingMs('192.0.2.1'), MINUTE);
  });

  test('half a quiet day is not', () => {
    const lockOut = new TestLockOut();
    lockOut.failTimes('192.0.2.1', 10);
    lockOut.nowMs += 12 * HOUR;
    lockOut.failTimes('192.0.2.1', 10);
    assert.equal(lockOut.remainingMs('192.0.2.1'), 2 * MINUTE);
  });

  test('an IPv4 address stands for itself', () => {
    const lockOut = new TestLockOut();
    lockOut.failTimes('192.0.2.1', 10);
    assert.equal(lockOut.remainingMs('192.0.2.2'), 0);
  });

  test('an IPv6 address stands for its /64, however it is written', () => {
    const lockOut = new TestLockOut();
    lockOut.failTimes('2001:db8:0:1::1', 10);
    for (const same of [
      '2001:db8:0:1::2',
      '2001:db8:0:1:ffff:ffff:ffff:ffff',
      '2001:0db8:0000:0001:0000:0000:0000:0001',
      '2001:DB8:0:1::a',
      '2001:db8:0:1:5::',
    ]) {
      assert.equal(lockOut.remainingMs(same), MINUTE, same);
    }
    for (const other of ['2001:db8:0:2::1', '2001:db8::1', '2001:db8:1::1', '::1']) {
      assert.equal(lockOut.remainingMs(other), 0, other);
    }
  });

  test('memory is bounded, and active lock-outs stay', () => {
    const lockOut = new TestLockOut();
    for (let i = 0; i < 10; i++) lockOut.fail('192.0.2.1');
    for (let i = 0; i < 120_000; i++) {
      lockOut.fail(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    }
    assert.equal(lockOut.remainingMs('192.0.2.1'), MINUTE);
    for (let i = 0; i < 10; i++) lockOut.fail('192.0.2.2');
    assert.equal(lockOut.remainingMs('192.0.2.2'), MINUTE, 'newcomers are still counted');
  });

  test('the listener receives every failure, and the wait after the last one', () => {
    const lockOut = new TestLockOut();
    const notified: [string, number][] = [];
    lockOut.onFailure((network, waitMs) => notified.push([network, waitMs]));
    lockOut.failTimes('2001:db8:0:1::1', 10);
    assert.deepEqual(notified.at(-1), ['2001:db8:0:1', MINUTE]);
    assert.deepEqual(
      notified.slice(0, -1),
      Array.from({ length: 9 }, () => ['2001:db8:0:1', 0]),
    );
  });

  test('a lock-out from another instance applies here, and never shortens a wait', () => {
    const lockOut = new TestLockOut();
    lockOut.lock({ network: '192.0.2.1', wait: 4 * MINUTE, following: 8 * MINUTE });
    lockOut.lock({ network: '192.0.2.1', wait: MINUTE, following: 2 * MINUTE });
    assert.equal(lockOut.remainingMs('192.0.2.1'), 4 * MINUTE);
    lockOut.nowMs = MINUTE;
    assert.deepEqual(lockOut.locked(), [
      { network: '192.0.2.1', wait: 3 * MINUTE, following: 8 * MINUTE },
    ]);
    lockOut.nowMs = 4 * MINUTE;
    assert.deepEqual(lockOut.locked(), []);
    lockOut.failTimes('192.0.2.1', 10);
    assert.equal(lockOut.remainingMs('192.0.2.1'), 8 * MINUTE);
  });

  test('a lock-out from another instance never exceeds the longest wait', () => {
    const lockOut = new TestLockOut();
    lockOut.lock({ network: '192.0.2.1', wait: 9 * HOUR, following: 18 * HOUR });
    assert.equal(lockOut.remainingMs('192.0.2.1'), HOUR);
    lockOut.nowMs += HOUR;
    lockOut.failTimes('192.0.2.1', 10);
    assert.equal(lockOut.remainingMs('192.0.2.1'), HOUR);
  });
});
