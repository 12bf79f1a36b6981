import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OpenRequests } from './open-requests.ts';

/** Whether it has resolved after a few turns of the event loop. */
async function hasResolved(promise: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void promise.then(() => (isResolved = true));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return isResolved;
}

test('background work goes on at once while no request is open', async () => {
  assert.ok(await hasResolved(new OpenRequests().idle(60_000)));
});

test('it waits until the last of the open requests is answered', async () => {
  const requests = new OpenRequests();
  requests.begin();
  requests.begin();
  const idle = requests.idle(60_000);
  requests.end();
  assert.ok(!(await hasResolved(idle)));
  requests.end();
  assert.ok(await hasResolved(idle));
  assert.ok(await hasResolved(requests.idle(60_000)));
});

test('it goes on beside requests that never end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const requests = new OpenRequests();
  requests.begin();
  const idle = requests.idle(5);
  assert.ok(!(await hasResolved(idle)));
  t.mock.timers.tick(5);
  assert.ok(await hasResolved(idle));
});
