import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { openFakePayPal } from '../../../test/gateways/fake-paypal.ts';
import { SAFETY_NET_MS } from '../../../test/support/eventually.ts';
import { whole } from '../test/attempt.ts';
import { testGateway } from '../test/every-gateway.ts';
import { samplePayout } from '../test/sample-payout.ts';
import { PayPalClient } from './paypal-client.ts';
import { paypal, paypalGateway } from './paypal.ts';

const details = { email: 'maya.canary@test.example' };
const fake = await openFakePayPal();

describe('every gateway', () => {
  const client = new PayPalClient(Date.now);
  testGateway({
    fake,
    details,
    begun: 'created',
    findsWithoutId: false,
    secrets: [fake.clientId, fake.secret, 'fakeToken'],
    open: ({ timeoutMs = SAFETY_NET_MS, wrongCredentials = false } = {}) => {
      const { clientId, url } = fake;
      const secret = wrongCredentials ? 'wrong' : fake.secret;
      const kept = wrongCredentials ? new PayPalClient(Date.now) : client;
      return paypalGateway({ clientId, secret, url, timeoutMs, client: kept });
    },
  });
});

describe('PayPal', async () => {
  const own = await openFakePayPal();
  after(() => own.close());
  const time = { offsetMs: 0 };
  const clock = () => Date.now() + time.offsetMs;
  const { clientId, secret, url } = own;
  const client = new PayPalClient(clock);
  const { pay, ask } = whole(paypalGateway({ clientId, secret, url, clock, client }));
  const payout = (change = {}) => samplePayout({ details, ...change });
  const signIns = () => own.requests.filter((request) => request.endsWith('/token')).length;
  const begin = async () => {
    const one = payout();
    const outcome = await pay(one);
    assert.ok(outcome.status === 'created');
    return { ...one, transaction_id: outcome.transaction_id };
  };

  for (const [currency, amount, expected] of [
    ['USD', 19.99, '19.99'],
    ['USD', 0.05, '0.05'],
    ['USD', 20, '20.00'],
    ['JPY', 1_500, '1500'],
    ['HUF', 900, '900'],
    ['TWD', 900, '900'],
    ['KWD', 1.234, '1.234'],
  ] as const) {
    test(`${amount} ${currency} is ${expected}`, async () => {
      await pay(payout({ currency, amount }));
      const { email } = details;
      assert.partialDeepStrictEqual(own.payments.at(-1), {
        amount: expected,
        currency,
        destination: email,
      });
    });
  }

  test('a part of a Taiwan dollar is refused before anything is sent', async () => {
    const before = own.requests.length;
    assert.equal((await pay(payout({ currency: 'TWD', amount: 900.5 }))).status, 'failed');
    assert.equal(own.requests.length, before);
  });

  for (const [item, batch, expected] of [
    ['SUCCESS', 'SUCCESS', 'paid'],
    ['PENDING', 'PROCESSING', 'created'],
    ['', 'NEW', 'created'],
    ['UNCLAIMED', 'SUCCESS', 'created'],
    ['ONHOLD', 'SUCCESS', 'created'],
    ['FAILED', 'SUCCESS', 'failed'],
    ['BLOCKED', 'SUCCESS', 'failed'],
    ['RETURNED', 'SUCCESS', 'failed'],
    ['REFUNDED', 'SUCCESS', 'failed'],
    ['REVERSED', 'SUCCESS', 'failed'],
    ['DENIED', 'DENIED', 'failed'],
    ['', 'DENIED', 'failed'],
    ['', 'CANCELED', 'failed'],
  ] as const) {
    test(`item ${item || 'missing'}, batch ${batch}: ${expected}`, async () => {
      const one = await begin();
      own.settle(one.transaction_id, item, batch);
      assert.equal((await ask(one)).status, expected);
    });
  }

  test('a payout that fails later has a reason that quotes no personal data', async () => {
    const one = await begin();
    own.settle(one.transaction_id, 'SUCCESS');
    assert.equal((await ask(one)).status, 'paid');
    own.settle(one.transaction_id, 'RETURNED');
    const reason = 'The PayPal payout is returned (RECEIVER_UNREGISTERED).';
    const { transaction_id } = one;
    const code = 'account_unknown';
    assert.deepEqual(await ask(one), { status: 'failed', reason, code, transaction_id });
  });

  test('a repeated attempt returns the outcome of the first', async () => {
    const one = await begin();
    own.settle(one.transaction_id, 'SUCCESS');
    const outcome = await pay({ ...one, transaction_id: '', repeated: true });
    assert.deepEqual(outcome, { status: 'paid', transaction_id: one.transaction_id });
  });

  test('credentials that expire before the first attempt is looked up: unknown', async () => {
    const one = await begin();
    own.next('unauthorized', 'ask');
    own.next('unauthorized', 'ask');
    assert.equal((await pay({ ...one, transaction_id: '' })).status, 'unknown');
  });

  test('an address that PayPal rejects: failed', async () => {
    const bad = payout({ details: { email: 'unknown@test.example' } });
    const reason = 'PayPal refused the payout (VALIDATION_ERROR).';
    assert.deepEqual(await pay(bad), { status: 'failed', reason, code: 'account_unknown' });
  });

  for (const [item, error, code] of [
    ['FAILED', 'RECEIVING_LIMIT_EXCEEDED', 'receiver_limit'],
    ['FAILED', 'SENDER_ACCOUNT_LOCKED', 'account_limited'],
    ['BLOCKED', 'INSUFFICIENT_FUNDS', 'balance'],
    ['RETURNED', 'SOMETHING_NEW', 'returned'],
    ['DENIED', 'SOMETHING_NEW', 'refused'],
  ] as const) {
    test(`${item} with ${error}: ${code}`, async () => {
      const one = await begin();
      own.settle(one.transaction_id, item, 'SUCCESS', error);
      assert.partialDeepStrictEqual(await ask(one), { status: 'failed', code });
    });
  }

  test('after 25 days nothing is repeated, because PayPal forgets batch ids', async () => {
    const before = own.requests.length;
    const old = payout({ begun_at: new Date(Date.now() - 26 * DAY_MS).toISOString() });
    assert.equal((await ask(old)).status, 'unknown');
    assert.equal((await pay({ ...old, repeated: true })).status, 'unknown');
    assert.equal(own.requests.length, before);
  });

  describe('the token', { concurrency: 1 }, () => {
    test('is cached until shortly before it expires', async () => {
      await begin();
      const before = signIns();
      await begin();
      time.offsetMs += 13 * 60_000;
      await begin();
      assert.equal(signIns(), before);
      time.offsetMs += 90_000;
      await begin();
      assert.equal(signIns(), before + 1);
    });

    test('is renewed once if PayPal revokes it early', async () => {
      await begin();
      const [before, paid] = [signIns(), own.payments.length];
      own.endTokens();
      await begin();
      assert.equal(signIns(), before + 1);
      assert.equal(own.payments.length, paid + 1);
    });

    test('that is rejected twice: failed', async () => {
      own.next('unauthorized');
      own.next('unauthorized');
      const reason = 'PayPal rejected the credentials.';
      assert.deepEqual(await pay(payout()), { status: 'failed', code: 'credentials', reason });
    });

    test('of other credentials is not used', async () => {
      await begin();
      const others = whole(paypalGateway({ clientId, secret: 'wrong', url, client }));
      assert.equal((await others.pay(payout())).status, 'failed');
    });

    test('that cannot be fetched: unknown', async () => {
      for (const behaviour of ['server-error', 'malformed', 'huge', 'redirect'] as const) {
        own.next(behaviour, 'begin');
        const fresh = new PayPalClient(clock);
        const gateway = whole(paypalGateway({ clientId, secret, url, client: fresh }));
        assert.equal((await gateway.pay(payout())).status, 'unknown', behaviour);
      }
    });
  });

  test('the destination is masked', () => {
    assert.equal(paypal.mask(details), 'm…@test.example');
    assert.equal(paypal.mask({ email: 'me@test.example' }), '…@test.example');
  });
});
