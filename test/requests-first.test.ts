import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../src/db/database.ts';
import { eventually } from './support/eventually.ts';
import { openTestApp } from './support/harness.ts';

describe('a transaction in the background', async () => {
  const app = await openTestApp();
  const { database } = app.app.site;
  const { requests } = database;

  /** Begins one; `hasBegun` tells whether its work runs. */
  function begin() {
    let hasBegun = false;
    const work = async () => void (hasBegun = true);
    const ended = database.transaction(work, { background: true });
    return { ended, hasBegun: () => hasBegun };
  }

  test('lets open requests go first', async () => {
    // Nothing but the end of the request may let it begin.
    const ended = mock.method(requests, 'ended', requests.ended.bind(requests, 60_000));
    requests.begin();
    const transaction = begin();
    // Long enough for one that does not wait.
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    assert.equal(transaction.hasBegun(), false);
    requests.end();
    await transaction.ended;
    assert.equal(transaction.hasBegun(), true);
    ended.mock.restore();
  });

  test('begins beside a request that does not end', async () => {
    requests.begin();
    await begin().ended;
    requests.end();
  });

  test('runs alone', async () => {
    let [running, most] = [0, 0];
    const work = async (tx: Transaction) => {
      most = Math.max(most, (running += 1));
      await tx.lock('test');
      running -= 1;
    };
    const transactions = Array.from({ length: 8 }, () =>
      database.transaction(work, { background: true }),
    );
    await Promise.all(transactions);
    assert.equal(most, 1);
  });

  test('knows the requests of this process', async () => {
    const [begun, ended] = [mock.method(requests, 'begin'), mock.method(requests, 'end')];
    assert.equal((await fetch(`${app.url}/healthz`)).status, 200);
    await eventually(() => assert.equal(ended.mock.callCount(), 1));
    assert.equal(begun.mock.callCount(), 1);
  });
});
