import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Extensions, type Extension } from '../../src/kernel/declare/extension.ts';
import type { Log } from '../../src/kernel/declare/log.ts';
import {
  extensionGateways,
  extensionRefusal,
  type Gateway,
  type PayoutRequest,
} from './extension.ts';

const errors: { fields: any; message: string }[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => void errors.push({ fields, message }),
  isLevelEnabled: () => true,
};
const load = (...all: Extension[]) => ({ extensions: new Extensions(all, log), log });
const refusal = (asked: PayoutRequest, ...all: Extension[]) =>
  extensionRefusal(load(...all), asked);

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

describe('extensionRefusal', () => {
  test('undefined if no extension refuses', async () => {
    assert.equal(await refusal(request), undefined);
    const quiet: Extension = { name: 'quiet', refusePayout: () => undefined };
    assert.equal(await refusal(request, quiet, { name: 'none' }), undefined);
  });

  test('the sentence of the first that refuses, synchronously or later', async () => {
    const now: Extension = {
      name: 'now',
      refusePayout: (r) => (r.amount > 10 ? 'Too much.' : undefined),
    };
    const later: Extension = { name: 'later', refusePayout: async () => 'Not on Sundays.' };
    assert.equal(await refusal(request, now, later), 'Too much.');
    assert.equal(await refusal(request, later, now), 'Not on Sundays.');
    assert.equal(await refusal({ ...request, amount: 5 }, now), undefined);
  });

  test('one that fails refuses, too: money waits', async () => {
    errors.length = 0;
    for (const refusePayout of [broken, async () => broken()]) {
      const sentence = await refusal(request, { name: 'bad', refusePayout });
      assert.match(sentence!, /bad/);
      assert.doesNotMatch(sentence!, /broken/, 'the reason is for the log');
    }
    assert.equal(errors.length, 2);
  });
});

test('the gateways of all extensions are listed in order', () => {
  const gateway = (type: string): Gateway => ({
    method_type: type,
    label: type,
    pay: async () => ({ status: 'unknown' }),
    ask: async () => ({ status: 'unknown' }),
  });
  const [a, b, c] = [gateway('a'), gateway('b'), gateway('c')];
  const site = load({ name: 'x', gateways: [a, b] }, { name: 'y', gateways: [c] }, { name: 'z' });
  assert.deepEqual(extensionGateways(site), [a, b, c]);
});
