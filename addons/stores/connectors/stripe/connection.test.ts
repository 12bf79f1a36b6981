import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import Stripe from 'stripe';
import { signed } from '../../test/stripe/fake-stripe.ts';
import { mappingContext as context, StripeAtHand } from '../../test/stripe/stripe-at-hand.ts';
import { StoreError, type Verification } from '../connector.ts';
import { STRIPE_VERSION } from './client.ts';
import { stripe } from './connector.ts';

const { fake, account, shop } = await StripeAtHand.open();
after(() => fake.api.close());
const { connect, check, disconnect, fetchOrder, changedSince, createCoupon, changeCoupon } =
  stripe as Required<typeof stripe>;

describe('a delivery of Stripe', () => {
  const secret = 'whsec_test';
  const nowMs = Date.parse('2026-09-14T15:00:00Z');
  const connection: Verification = {
    secrets: ['whsec_new', secret],
    credentials: {},
    url: '',
    nowMs,
  };
  const event = {
    id: 'evt_1',
    type: 'charge.refunded',
    data: { object: { payment_intent: 'pi_1' } },
  };

  test('is genuine as for the SDK, within five minutes on either side', () => {
    for (const [skewMs, outcome] of [
      [0, 'genuine'],
      [-299_000, 'genuine'],
      [299_000, 'genuine'],
      [-301_000, 'refused'],
      [301_000, 'refused'],
    ] as const) {
      const delivery = signed(event, secret, nowMs + skewMs);
      assert.equal(stripe.verify(delivery, connection).outcome, outcome);
      const accepts = () =>
        Stripe.webhooks.constructEvent(
          delivery.body,
          delivery.headers['stripe-signature']!,
          secret,
          300,
          undefined,
          nowMs,
        );
      // The SDK accepts signatures of the future.
      if (outcome === 'genuine' || skewMs > 0) assert.equal(accepts().id, 'evt_1');
      else assert.throws(accepts);
    }
    const verdict = stripe.verify(signed(event, secret, nowMs), connection);
    assert.deepEqual(verdict, {
      outcome: 'genuine',
      topic: 'charge.refunded',
      externalId: 'pi_1',
      dedupeKey: 'evt_1',
    });
  });

  test('is refused with a sentence: unsigned, another secret, changed, a wrong clock', () => {
    const good = signed(event, secret, nowMs);
    for (const [delivery, given, reason] of [
      [{ ...good, headers: {} }, connection, /no signature/],
      [{ ...good, headers: { 'stripe-signature': 't=abc,v1=' } }, connection, /no signature/],
      [signed(event, 'whsec_other', nowMs), connection, /does not fit/],
      [{ ...good, body: Buffer.from('{}') }, connection, /does not fit/],
      [good, { ...connection, nowMs: nowMs + 3_600_000 }, /60 minutes old.*clock/],
      [good, { ...connection, nowMs: nowMs - 3_600_000 }, /60 minutes in the future/],
      [good, { ...connection, secrets: [] }, /no signing secret/],
    ] as const) {
      const verdict = stripe.verify(delivery, given);
      assert.ok(verdict.outcome === 'refused');
      assert.match(verdict.reason, reason);
    }
  });

  test('of a test order is genuine, and complete without asking', () => {
    const delivery = stripe.exampleDelivery(connection, {
      code: 'MAYA10',
      total: 50,
      currency: 'USD',
    });
    assert.partialDeepStrictEqual(stripe.verify(delivery, connection), { outcome: 'genuine' });
    const mapped = stripe.toOrder(JSON.parse(delivery.body.toString()), context, '');
    assert.partialDeepStrictEqual(mapped, {
      result: 'order',
      order: { total: 50, coupon_codes: ['MAYA10'] },
    });
  });
});

describe('the account', () => {
  test('is connected with one webhook, whose secret is stored, and repaired', async () => {
    const created = await connect(shop());
    const endpoints = () => account.all('webhook_endpoint');
    assert.equal(created.secret, `whsec_${endpoints()[0]!['id']}`);
    const known = shop({ secret: created.secret });
    assert.deepEqual((await connect(known)).secret, undefined);
    endpoints()[0]!['status'] = 'disabled';
    assert.match((await check(known)).notes.join(' '), /active again/);
    assert.equal(endpoints()[0]!['status'], 'enabled');
    // The secret of this webhook was lost.
    const again = await connect(shop());
    assert.ok(again.secret && again.secret !== created.secret && endpoints().length === 1);
    await disconnect(known);
    assert.equal(endpoints().length, 0);
    await assert.rejects(connect(shop({ credentials: { secret_key: 'sk_test_wrong' } })), {
      code: 'credentials',
    });
    await assert.rejects(connect(shop({ credentials: {} })), {
      code: 'credentials',
      message: /secret key/,
    });
  });

  test('changed purchases come from events, and those of more than 30 days from the lists', async () => {
    const idsSince = async (sinceMs: number) => {
      const ids: string[] = [];
      let page: string | null = null;
      do {
        const answer = await changedSince(shop(), { sinceMs, page });
        for (const payload of answer.payloads) {
          const asked = stripe.toOrder(payload, context, '');
          const whole =
            asked.result === 'ask' ? await fetchOrder(shop(), asked.externalId) : payload;
          const mapped = stripe.toOrder(whole, context, '');
          if (mapped.result === 'order') ids.push(mapped.order.external_id);
        }
        page = answer.next;
      } while (page !== null);
      return ids;
    };
    const all = await idsSince(0);
    account.tick(31 * 86_400);
    const startS = account.tick();
    fake.pageSizeMax = 2;
    const sales = [account.sell(), account.sell(), account.sell()];
    account.refund(sales[0]!.charge, 100);
    account.subscribe();
    const invoice = account.all('invoice').at(-1)!;
    const expected = [...sales.map(({ payment }) => payment['id']), invoice['id']].sort();
    assert.deepEqual([...new Set(await idsSince(startS * 1_000))].sort(), expected);
    fake.pageSizeMax = 100;
    assert.deepEqual(new Set(await idsSince(0)), new Set([...all, ...expected]));
  });

  test('is not asked again before the time it names', async () => {
    fake.api.fail('busy');
    await assert.rejects(
      fetchOrder(shop(), 'pi_1'),
      (error) => error instanceof StoreError && error.retryAfterMs === 2_000,
    );
    for (const error of ['down', 'garbage'] as const) {
      fake.api.fail(error);
      await assert.rejects(fetchOrder(shop(), 'pi_1'), { code: 'failed' });
    }
  });

  test('gets promotion codes, each once, which are paused and resumed', async () => {
    const percent = {
      code: 'NEW15',
      discount: { type: 'percent', amount: 12.5 },
      currency: 'USD',
    } as const;
    const codes = () => account.all('promotion_code').filter(({ coupon }) => coupon !== undefined);
    await createCoupon(shop(), percent);
    await createCoupon(shop(), percent);
    await createCoupon(shop(), { ...percent, code: 'NEW16' });
    assert.deepEqual(
      codes().map(({ code, coupon }) => [code, coupon]),
      [
        ['NEW15', 'tributary-percent-12_5'],
        ['NEW16', 'tributary-percent-12_5'],
      ],
    );
    await changeCoupon(shop(), { ...percent, active: false });
    assert.equal(codes()[0]!['active'], false);
    await changeCoupon(shop(), { ...percent, active: true });
    assert.equal(codes()[0]!['active'], true);
    await changeCoupon(shop(), {
      code: 'FIVE',
      discount: { type: 'fixed', amount: 5 },
      currency: 'JPY',
      active: true,
    });
    assert.equal(codes().at(-1)!['coupon'], 'tributary-fixed-5-jpy');
  });

  test('names a code that cannot be a promotion code, with an allowed spelling', async () => {
    const before = fake.api.requests.filter((request) => request.startsWith('POST')).length;
    for (const [code, message] of [
      ['ÉTÉ20', /not "É"\. .* such as ETE20\.$/],
      ['Grün-Tee&Co', /not "ü"\. .* such as Grun-Tee-Co\.$/],
      ['R_B', /not "_"\. .* such as R-B\.$/],
      ['夏', /not "夏"\.$/],
    ] as const) {
      const discount = { type: 'percent', amount: 10 } as const;
      const coupon = { code, discount, currency: 'USD' };
      await assert.rejects(createCoupon(shop(), coupon), { code: 'failed', message });
      await assert.rejects(changeCoupon(shop(), { ...coupon, active: true }), { message });
      await changeCoupon(shop(), { ...coupon, active: false });
    }
    const later = fake.api.requests.filter((request) => request.startsWith('POST')).length;
    assert.equal(later, before, 'nothing is created');
  });

  test('has the address of Stripe, whatever was typed', () => {
    for (const typed of ['', 'stripe.com', 'https://dashboard.stripe.com/apikeys']) {
      assert.equal(stripe.normalizeUrl?.(typed), 'https://api.stripe.com');
    }
    assert.throws(() => stripe.normalizeUrl?.('https://shop.example'), /empty/);
    assert.equal(STRIPE_VERSION, Stripe.API_VERSION);
  });
});
