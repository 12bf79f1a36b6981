import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { openFakeStripe } from '../../../test/gateways/fake-stripe.ts';
import { SAFETY_NET_MS } from '../../../test/support/eventually.ts';
import { testGateway } from '../test/every-gateway.ts';
import { samplePayout } from '../test/sample-payout.ts';
import { stripe, stripeGateway } from './stripe.ts';

const details = { account: 'acct_1AbCdEfGhIjKlMnO' };
const fake = await openFakeStripe();

describe('every gateway', () => {
  testGateway({
    fake,
    details,
    begun: 'paid',
    findsWithoutId: true,
    secrets: [fake.key],
    open: ({ timeoutMs = SAFETY_NET_MS, wrongCredentials = false } = {}) =>
      stripeGateway({ key: wrongCredentials ? 'sk_wrong' : fake.key, url: fake.url, timeoutMs }),
  });
});

describe('Stripe', async () => {
  const own = await openFakeStripe();
  after(() => own.close());
  const { key, url } = own;
  const { pay, ask } = stripeGateway({ key, url });
  const payout = (change = {}) => samplePayout({ details, ...change });

  for (const [currency, amount, expected] of [
    ['USD', 19.99, 1_999],
    ['JPY', 1_500, 1_500],
    ['KWD', 1.23, 1_230],
    // Stripe uses two decimals for these, unlike ISO 4217.
    ['ISK', 700, 70_000],
    ['UGX', 7_000, 700_000],
  ] as const) {
    test(`${amount} ${currency} is ${expected}`, async () => {
      await pay(payout({ currency, amount }));
      assert.partialDeepStrictEqual(own.payments.at(-1), {
        amount: expected,
        currency: currency.toLowerCase(),
        destination: details.account,
      });
    });
  }

  test('a third decimal is refused before anything is sent', async () => {
    const before = own.requests.length;
    const outcome = await pay(payout({ currency: 'KWD', amount: 1.234 }));
    assert.equal(outcome.status, 'failed');
    assert.equal(own.requests.length, before);
  });

  test('a reversed transfer has failed', async () => {
    const one = payout();
    await pay(one);
    const { id } = own.payments.at(-1)!;
    own.reverse(id);
    for (const transaction_id of [id, '']) {
      assert.equal((await ask({ ...one, transaction_id })).status, 'failed');
    }
  });

  test('the same key for another payment: unknown, because the first may have paid', async () => {
    const one = payout();
    await pay(one);
    const before = own.payments.length;
    const outcome = await pay({ ...one, amount: 5, amount_minor: 500 });
    assert.equal(outcome.status, 'unknown');
    assert.equal(own.payments.length, before);
  });

  test('an unknown account: failed, without quoting it', async () => {
    const outcome = await pay(payout({ details: { account: 'acct_UnknownAccount' } }));
    assert.ok(outcome.status === 'failed');
    assert.equal(outcome.reason, 'The Stripe account does not exist or is not connected.');
  });

  test('a lost answer, repeated when Stripe has forgotten the key, pays once', async () => {
    const one = payout();
    const before = own.payments.length;
    own.next('reset-after');
    assert.equal((await pay(one)).status, 'unknown');
    own.forgetKeys();
    const later = stripeGateway({ key, url, clock: () => Date.now() + 30 * HOUR_MS });
    assert.equal((await later.pay({ ...one, repeated: true })).status, 'paid');
    own.hide(true);
    assert.equal((await later.pay({ ...one, repeated: true })).status, 'unknown');
    own.hide(false);
    assert.equal(own.payments.length, before + 1);
  });

  test('the destination is masked', () => {
    assert.equal(stripe.mask(details), 'acct_…lMnO');
  });
});
