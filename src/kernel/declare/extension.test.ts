import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Extensions, type Extension, type Gateway, type PayoutRequest } from './extension.ts';
import type { Log } from './log.ts';

const errors: { fields: any; message: string }[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => void errors.push({ fields, message }),
  isLevelEnabled: () => true,
};
const load = (...all: Extension[]) => new Extensions(all, log);

const request: PayoutRequest = {
  coupon_id: 1,
  user_id: 3,
  amount: 50,
  currency: 'EUR',
  method_type: 'banktransfer',
};
const broken = () => {
  throw new Error('broken');
};

describe('amendOpenApi', () => {
  test('is absent when nobody amends', () => {
    assert.equal(load({ name: 'quiet' }).amendOpenApi, undefined);
  });

  test('each gets what the one before returned', () => {
    const add = (key: string): Extension => ({
      name: key,
      amendOpenApi: (document) => ({ ...document, [key]: Object.keys(document).length }),
    });
    const amend = load(add('a'), { name: 'quiet' }, add('b')).amendOpenApi!;
    assert.deepEqual(amend({}), { a: 0, b: 1 });
  });

  test('works on a copy: nothing shared can be spoiled', () => {
    const document = { info: { title: 'ours' } };
    const amend = load({
      name: 'rude',
      amendOpenApi(copy: any) {
        copy.info.title = 'theirs';
        return copy;
      },
    }).amendOpenApi!;
    assert.deepEqual(amend(document), { info: { title: 'theirs' } });
    assert.deepEqual(document, { info: { title: 'ours' } });
  });

  test('one that fails is left out and logged by name', () => {
    errors.length = 0;
    const good: Extension = {
      name: 'good',
      amendOpenApi: (document) => ({ ...document, good: 1 }),
    };
    const amend = load({ name: 'bad', amendOpenApi: broken }, good).amendOpenApi!;
    assert.deepEqual(amend({ ours: 1 }), { ours: 1, good: 1 });
    assert.equal(errors[0]!.fields.extension, 'bad');
  });
});

describe('refusalOf', () => {
  test('nothing when nobody refuses', async () => {
    assert.equal(await load().refusalOf(request), undefined);
    const quiet: Extension = { name: 'quiet', refusePayout: () => undefined };
    assert.equal(await load(quiet, { name: 'none' }).refusalOf(request), undefined);
  });

  test('the sentence of the first that refuses, at once or later', async () => {
    const now: Extension = {
      name: 'now',
      refusePayout: (r) => (r.amount > 10 ? 'Too much.' : undefined),
    };
    const later: Extension = { name: 'later', refusePayout: async () => 'Not on Sundays.' };
    assert.equal(await load(now, later).refusalOf(request), 'Too much.');
    assert.equal(await load(later, now).refusalOf(request), 'Not on Sundays.');
    assert.equal(await load(now).refusalOf({ ...request, amount: 5 }), undefined);
  });

  test('one that fails refuses, too: money waits', async () => {
    errors.length = 0;
    for (const refusePayout of [broken, async () => broken()]) {
      const refusal = await load({ name: 'bad', refusePayout }).refusalOf(request);
      assert.match(refusal!, /bad/);
      assert.doesNotMatch(refusal!, /broken/, 'the reason is for the log');
    }
    assert.equal(errors.length, 2);
  });
});

describe('gateways and listeners', () => {
  test('those of all extensions, in order', () => {
    const gateway = (type: string): Gateway => ({
      method_type: type,
      label: type,
      pay: async () => ({ status: 'unknown' }),
      ask: async () => ({ status: 'unknown' }),
    });
    const [a, b, c] = [gateway('a'), gateway('b'), gateway('c')];
    const listener: Extension = { name: 'y', gateways: [c], onEvent: () => {} };
    const extensions = load({ name: 'x', gateways: [a, b] }, listener, { name: 'z' });
    assert.deepEqual(extensions.gateways(), [a, b, c]);
    assert.deepEqual(extensions.listeners(), [listener]);
  });
});
