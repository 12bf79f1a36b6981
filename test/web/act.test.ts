import './browser-globals.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError, TributaryError, type ErrorCode } from '../../sdk/src/index.ts';
import { act, GivenUp, wantedProof } from '../../web/act.ts';
import { isSignedOut } from '../../web/api.ts';
import { isPassing, waitMsAfter } from '../../web/waiting.ts';

const refusal = (code: ErrorCode, status: number) =>
  new TributaryError(code, code, {
    status,
    data: { status },
    requestId: undefined,
    retryAfter: undefined,
  });
const lost = new ConnectionError('lost');

/** Fails once per error, then succeeds; records the idempotency key of each attempt. */
function change(...errors: Error[]) {
  const keys: unknown[] = [];
  const run = ({ idempotencyKey }: { idempotencyKey?: string | undefined }) => {
    keys.push(idempotencyKey);
    const error = errors[keys.length - 1];
    return error === undefined ? Promise.resolve('done') : Promise.reject(error);
  };
  return { keys, run };
}

/** Waits until the person is asked to prove who they are. */
async function question() {
  while (!wantedProof.peek()) await new Promise(setImmediate);
  return wantedProof.peek()!;
}

describe('a change', () => {
  test('is sent once, and its refusal is thrown', async () => {
    const { keys, run } = change();
    assert.equal(await act(run), 'done');
    assert.equal(keys.length, 1);
    const error = refusal('rest_invalid_param', 400);
    await assert.rejects(act(change(error).run), error);
  });

  test('goes on after a proof, with the same key', async () => {
    const { keys, run } = change(refusal('svc_api_proof_required', 403));
    const made = act(run);
    (await question()).answer();
    assert.equal(await made, 'done');
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1);
    assert.equal(wantedProof.value, undefined);
  });

  test('is given up when the person closes the question', async () => {
    const made = act(change(refusal('svc_api_proof_required', 403)).run);
    (await question()).giveUp();
    await assert.rejects(made, GivenUp);
  });

  test('waits for a sign-in if the session is over', async () => {
    isSignedOut.value = true;
    const { keys, run } = change(refusal('svc_api_unauthorized', 401));
    const made = act(run);
    await new Promise(setImmediate);
    assert.equal(keys.length, 1);
    isSignedOut.value = false;
    assert.equal(await made, 'done');
    assert.equal(keys.length, 2);
  });

  test('is sent again as soon as the browser is online, with the same key', async () => {
    const { keys, run } = change(lost);
    const waits: boolean[] = [];
    const made = act(run, {
      onWait(isWaiting) {
        waits.push(isWaiting);
        if (isWaiting) setImmediate(() => dispatchEvent(new Event('online')));
      },
    });
    assert.equal(await made, 'done');
    assert.deepEqual(waits, [true, false]);
    assert.equal(new Set(keys).size, 1);
  });

  test('stops waiting when its form is gone', async () => {
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onWait: () => setImmediate(() => controller.abort()),
    };
    await assert.rejects(act(change(lost).run, options), GivenUp);
  });

  test('stops if the form is gone as soon as it waits', async () => {
    const controller = new AbortController();
    const { keys, run } = change(lost);
    const options = { signal: controller.signal, onWait: () => controller.abort() };
    await assert.rejects(act(run, options), GivenUp);
    assert.equal(keys.length, 1);
  });

  test('that cannot wait throws a lost connection', async () => {
    await assert.rejects(act(change(lost).run), lost);
  });
});

test('the next attempt waits as long as the service asks, and longer after each failure', () => {
  const limit = new TributaryError('svc_api_rate_limited', 'Too many requests.', {
    status: 429,
    data: { status: 429 },
    requestId: undefined,
    retryAfter: 40,
  });
  assert.ok(waitMsAfter(limit, 0) >= 40_000);
  assert.ok(waitMsAfter(lost, 0) <= 1_000);
  assert.ok(waitMsAfter(lost, 3) >= 4_000);
  assert.ok(waitMsAfter(lost, 30) <= 30_000);
});

test('lost connections, 429 and 5xx pass; other refusals do not', () => {
  assert.ok(isPassing(lost));
  assert.ok(isPassing(refusal('svc_api_rate_limited', 429)));
  assert.ok(isPassing(refusal('svc_api_unauthorized', 503)));
  assert.ok(!isPassing(refusal('rest_invalid_param', 400)));
  assert.ok(!isPassing(new Error('a fault of the program')));
});
