import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openFakeWise } from '../../../test/gateways/fake-wise.ts';
import { SAFETY_NET_MS } from '../../../test/support/eventually.ts';
import { whole } from '../test/attempt.ts';
import { IMPATIENT_MS, testGateway } from '../test/every-gateway.ts';
import { samplePayout } from '../test/sample-payout.ts';
import { wise, wiseGateway } from './wise.ts';

const details = { target_account: 4_455_667_788 };
const fake = await openFakeWise();

describe('every gateway', () => {
  const { url, profile } = fake;
  testGateway({
    fake,
    details,
    begun: 'created',
    findsWithoutId: true,
    secrets: [fake.token],
    open: ({ timeoutMs = SAFETY_NET_MS, wrongCredentials = false } = {}) =>
      wiseGateway({ token: wrongCredentials ? 'wrong' : fake.token, profile, url, timeoutMs }),
  });
});

describe('Wise', async () => {
  const own = await openFakeWise();
  after(() => own.close());
  const { token, profile, url } = own;
  const { pay, ask } = whole(wiseGateway({ token, profile, url }));
  const payout = (change = {}) => samplePayout({ details, ...change });

  for (const [currency, amount] of [
    ['USD', 19.99],
    ['JPY', 1_500],
    ['KWD', 1.234],
  ] as const) {
    test(`the recipient gets ${amount} ${currency}`, async () => {
      await pay(payout({ currency, amount }));
      const destination = String(details.target_account);
      assert.partialDeepStrictEqual(own.payments.at(-1), { amount, currency, destination });
    });
  }

  for (const [status, expected] of [
    ['incoming_payment_waiting', 'created'],
    ['processing', 'created'],
    ['funds_converted', 'created'],
    ['outgoing_payment_sent', 'paid'],
    // Wise resends or refunds it.
    ['bounced_back', 'created'],
    ['funds_refunded', 'failed'],
    ['cancelled', 'failed'],
    ['charged_back', 'failed'],
  ] as const) {
    test(`${status}: ${expected}`, async () => {
      const one = payout();
      await pay(one);
      const { id } = own.payments.at(-1)!;
      own.settle(id, status);
      assert.equal((await ask({ ...one, transaction_id: id })).status, expected);
      assert.equal((await ask(one)).status, expected, 'without its id');
      assert.equal((await pay({ ...one, repeated: true })).status, expected, 'repeated');
      assert.equal(own.payments.filter((payment) => payment.id === id).length, 1);
    });
  }

  test('a quote that fails: unknown, or failed if Wise refuses it', async () => {
    const before = own.payments.length;
    for (const behaviour of ['server-error', 'malformed', 'strange', 'redirect'] as const) {
      own.next(behaviour, 'begin');
      assert.equal((await pay(payout())).status, 'unknown', behaviour);
    }
    own.next('decline', 'begin');
    const reason = 'Wise refused the transfer (RECIPIENT_INACTIVE).';
    assert.deepEqual(await pay(payout()), { status: 'failed', reason, code: 'account_closed' });
    assert.equal(own.payments.length, before);
  });

  test('a quote that takes too long: unknown', async () => {
    own.next('hang', 'begin');
    const hurried = whole(wiseGateway({ token, profile, url, timeoutMs: IMPATIENT_MS }));
    assert.equal((await hurried.pay(payout())).status, 'unknown');
    // On a busy machine the time may end before the request that hangs.
    own.behave();
  });

  describe('a transfer without its id', () => {
    /** Adds this many unrelated transfers. */
    const others = async (count: number) => {
      for (let i = 0; i < count; i += 1) await pay(payout());
    };

    test('is searched on every page of the list', async () => {
      const one = payout();
      await pay(one);
      await others(250);
      assert.equal((await ask(one)).status, 'created');
      assert.deepEqual(await ask(payout()), { status: 'absent' });
    });

    test('a page that cannot be read: unknown, not absent', async () => {
      const before = own.requests.length;
      own.next('pass', 'ask');
      own.next('server-error', 'ask');
      assert.equal((await ask(payout())).status, 'unknown');
      assert.equal(own.requests.length, before + 2);
    });

    test('a list that repeats itself: unknown, not absent', async () => {
      own.repeatFirstPage(true);
      assert.equal((await ask(payout())).status, 'unknown');
      own.repeatFirstPage(false);
    });
  });

  test('the destination is masked', () => {
    assert.equal(wise.mask(details), '…7788');
    assert.equal(wise.mask({ target_account: 12_345 }), '…45');
  });
});
