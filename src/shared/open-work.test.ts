import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OpenWork } from './open-work.ts';

/** Whether it has resolved after a few turns of the event loop. */
async function hasResolved(promise: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void promise.then(() => (isResolved = true));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return isResolved;
}

test('background work goes on at once while nothing is open', async () => {
  assert.ok(await hasResolved(new OpenWork().ended(60_000)));
});

test('it waits until the last of the open work ends', async () => {
  const work = new OpenWork();
  work.begin();
  work.begin();
  const ended = work.ended(60_000);
  work.end();
  assert.ok(!(await hasResolved(ended)));
  work.end();
  assert.ok(await hasResolved(ended));
  assert.ok(await hasResolved(work.ended(60_000)));
});

test('it goes on beside work that never ends', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const work = new OpenWork();
  work.begin();
  const ended = work.ended(5);
  assert.ok(!(await hasResolved(ended)));
  t.mock.timers.tick(5);
  assert.ok(await hasResolved(ended));
});
