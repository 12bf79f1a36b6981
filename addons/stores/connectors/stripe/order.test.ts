import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fc } from '../../../../test/support/seeded-random.ts';
import { mappingContext as context, StripeAtHand } from '../../test/stripe/stripe-at-hand.ts';
import type { Terms } from '../../test/stripe/stripe-objects.ts';
import { stripe } from './connector.ts';

const hand = await StripeAtHand.open();
after(() => hand.fake.api.close());
const { account, shop, purchased, orderOf } = hand;
const { fetchOrder } = stripe as Required<typeof stripe>;

describe('a payment of Checkout', () => {
  test('has goods without tax, the promotion code and the code of the link', async () => {
    const { session, payment } = account.sell({ code: 'MAYA10', ref: 'JONAS' });
    const created = new Date(session['created'] * 1_000).toISOString();
    const order = await orderOf(session['id']);
    assert.deepEqual(order, {
      external_id: payment['id'],
      date: created,
      date_modified: created,
      status: 'completed',
      currency: 'USD',
      subtotal: 100,
      discount: 10,
      shipping: 5,
      tax: 18,
      fees: 0,
      total: 113,
      coupon_codes: ['MAYA10'],
      customer: { email: 'nina.berg@customer.example' },
      items: [
        { product_id: 'prod_tent', name: 'Ridge tent', quantity: 2, subtotal: 100, total: 90 },
      ],
      refunds: [],
      referral_code: 'JONAS',
    });
    assert.deepEqual(await orderOf(payment['id']), order, 'the payment leads to the same order');
  });

  test('takes the code of the metadata before the reference, and old names of it', async () => {
    const codeOf = async (terms: Terms) =>
      (await orderOf(account.sell(terms).session['id'])).referral_code;
    assert.equal(await codeOf({ ref: 'JONAS', metadata: { ref: 'MAYA' } }), 'MAYA');
    assert.equal(await codeOf({ metadata: { via: 'OLD' } }), 'OLD');
    assert.equal(await codeOf({}), undefined);
  });

  test('reads the reference that the script makes, without mixing it with other metadata', async () => {
    const linkOf = async (terms: Terms) => {
      const order = await orderOf(account.sell(terms).session['id']);
      return [order.referral_code, order.click_id, order.visitor];
    };
    const ref = 'tributary-16-reeD97HAHIYzeLC_002dgvSjtBZ-R_0026B_002010';
    assert.deepEqual(await linkOf({ ref }), ['R&B 10', 16, 'reeD97HAHIYzeLC-gvSjtBZ']);
    const script = 'tributary-0-t_002e4c1fj20x8r5m7q3kz9wa-MAYA';
    assert.deepEqual(await linkOf({ ref: script }), ['MAYA', undefined, 't.4c1fj20x8r5m7q3kz9wa']);
    assert.deepEqual(await linkOf({ ref, metadata: { ref: 'JONAS' } }), [
      'JONAS',
      undefined,
      undefined,
    ]);
    // A reference of the store, beside what its checkout stores.
    assert.deepEqual(await linkOf({ ref: 'cart-88', metadata: { visitor: 'v-1' } }), [
      'cart-88',
      undefined,
      'v-1',
    ]);
    for (const odd of ['tributary--', 'tributary-x-y', 'tributary-1-2-3-4', 'tributary-0-_zzzz-']) {
      const [, clickId] = await linkOf({ ref: odd });
      assert.equal(clickId, undefined, odd);
    }
  });

  test('is reduced by refunds, unless they fail', async () => {
    const { session, charge } = account.sell();
    const first = account.refund(charge, 2_500);
    const order = await orderOf(session['id']);
    assert.deepEqual(order.refunds, [
      { id: first['id'], date: new Date(first['created'] * 1_000).toISOString(), amount: 25 },
    ]);
    assert.deepEqual([order.status, order.date_modified], ['completed', order.refunds[0]!.date]);
    account.refund(charge, 1_000_000);
    assert.equal((await orderOf(session['id'])).status, 'refunded');
    account.failRefund(first);
    assert.partialDeepStrictEqual(await orderOf(session['id']), {
      status: 'completed',
      refunds: [{ amount: 100 }],
    });
  });

  test('is held during a dispute, and lost with it', async () => {
    for (const [status, expected, refunds] of [
      ['won', 'completed', 0],
      ['lost', 'refunded', 1],
    ] as const) {
      const { session, charge } = account.sell();
      const dispute = account.dispute(charge);
      const held = await orderOf(session['id']);
      assert.equal(held.status, 'on-hold');
      account.closeDispute(dispute, status);
      const closed = await orderOf(session['id']);
      assert.deepEqual([closed.status, closed.refunds.length], [expected, refunds]);
      assert.ok(closed.date_modified >= held.date_modified);
    }
    const { session, charge } = account.sell();
    account.dispute(charge, 'warning_needs_response');
    assert.equal((await orderOf(session['id'])).status, 'completed');
  });

  test('waits for a payment that takes days', async () => {
    const { session, payment } = account.sell();
    session['payment_status'] = 'unpaid';
    assert.equal((await orderOf(session['id'])).status, 'pending');
    payment['status'] = 'requires_payment_method';
    assert.equal((await orderOf(session['id'])).status, 'failed');
  });

  for (const [currency, amount, subtotal] of [
    ['jpy', 10_000, 10_000],
    ['kwd', 10_250, 10.25],
    // Stripe has two decimals for these, unlike ISO 4217.
    ['isk', 70_000, 700],
    ['ugx', 700_000, 7_000],
    // And none for this one.
    ['mga', 5_000, 5_000],
  ] as const) {
    test(`in ${currency.toUpperCase()}: ${amount} is ${subtotal}`, async () => {
      const { session } = account.sell({ currency, amount });
      assert.equal((await orderOf(session['id'])).subtotal, subtotal);
    });
  }

  test('in another currency has the rate at which Stripe credited it', async () => {
    const { session } = account.sell({ currency: 'eur' });
    assert.equal((await orderOf(session['id'])).exchange_rate, 1.1);
    assert.equal((await orderOf(session['id'], { currency: 'EUR' })).exchange_rate, undefined);
    assert.equal((await orderOf(session['id'], { currency: 'GBP' })).exchange_rate, undefined);
  });
});

describe('a subscription', () => {
  const MONTH_S = 31 * 86_400;

  test('is an order with each invoice', async () => {
    const subscription = account.subscribe({ code: 'MAYA10', ref: 'JONAS' });
    const session = account.all('checkout.session').at(-1)!;
    const order = await orderOf(session['id']);
    assert.partialDeepStrictEqual(order, {
      external_id: session['invoice'],
      number: account.all('invoice').at(-1)!['number'],
      status: 'completed',
      subtotal: 30,
      discount: 3,
      total: 27,
      coupon_codes: ['MAYA10'],
      referral_code: 'JONAS',
      customer: { id: 'cus_Nina' },
      items: [{ product_id: 'prod_plan', name: 'Plan', quantity: 1, subtotal: 30, total: 27 }],
    });
    account.tick(MONTH_S);
    const renewal = account.bill(subscription)['id'];
    // The code applied to the first payment alone, and still the renewal names it.
    assert.partialDeepStrictEqual(await orderOf(renewal), {
      total: 30,
      subscription: { id: subscription['id'], renewal: true },
      coupon_codes: ['MAYA10'],
      referral_code: 'JONAS',
    });
  });

  test('with a trial has its first payment after it', async () => {
    const trialEndS = account.nowS + 14 * 86_400;
    const subscription = account.subscribe({ trialEndS });
    const [first] = account.all('invoice').slice(-1);
    assert.equal((await purchased(first!['id'])).result, 'ignored');
    account.nowS = trialEndS + 3_600;
    const paid = async () => (await orderOf(account.bill(subscription)['id'])).subscription;
    assert.equal((await paid())?.payment, 1);
    account.tick(MONTH_S);
    assert.equal((await paid())?.renewal, true);
  });

  test('is refunded by the payment of its invoice', async () => {
    const subscription = account.subscribe({ code: 'MAYA10' });
    const invoice = account.all('invoice').at(-1)!;
    account.refund(account.chargeOf(invoice), 700);
    const order = await orderOf(account.chargeOf(invoice)['payment_intent']);
    assert.partialDeepStrictEqual(order, { external_id: invoice['id'], refunds: [{ amount: 7 }] });
    // Credits for unused time are below zero: a discount on the rest.
    const change = account.bill(subscription, { amount: 5_000 }, 'subscription_update');
    change['lines'].data.push({ id: 'il_credit', amount: -2_000, quantity: 1, taxes: [] });
    change['total'] = 3_000;
    const changed = await orderOf(change['id']);
    assert.deepEqual([changed.subtotal, changed.discount, changed.total], [50, 20, 30]);
    assert.deepEqual(
      changed.items.map((item) => item.total),
      [30],
    );
  });

  test('an invoice that Checkout made for a single payment is the same purchase', async () => {
    const { session, payment } = account.sell({ code: 'MAYA10' });
    const invoice = account.bill(null, {}, 'manual');
    const [entry] = account.includable.get(invoice['id'])!['payments'].data;
    entry.payment.payment_intent = payment['id'];
    assert.deepEqual(await orderOf(invoice['id']), await orderOf(session['id']));
  });
});

describe('an event', () => {
  const eventOf = (type: string, object: object) => ({
    id: 'evt_1',
    object: 'event',
    type,
    data: { object },
  });
  const map = (type: string, object: object, canAsk = true) =>
    stripe.toOrder(eventOf(type, object), { ...context, canAsk }, type);

  test('leads to the purchase', () => {
    for (const [type, object, externalId] of [
      ['checkout.session.completed', { id: 'cs_1', mode: 'payment' }, 'cs_1'],
      ['invoice.paid', { id: 'in_1' }, 'in_1'],
      ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
      ['charge.dispute.created', { id: 'du_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
    ] as const) {
      assert.partialDeepStrictEqual(map(type, object), { result: 'ask', externalId });
    }
    assert.equal(map('charge.refunded', { id: 'ch_1', payment_intent: null }).result, 'ignored');
    assert.equal(map('customer.created', { id: 'cus_1' }).result, 'ignored');
  });

  test('without a key gives a payment of Checkout, and says what else needs the key', () => {
    const { session } = account.sell({ code: 'MAYA10', ref: 'JONAS' });
    const mapped = map('checkout.session.completed', session, false);
    assert.partialDeepStrictEqual(mapped, {
      result: 'order',
      order: { total: 113, tax: 18, referral_code: 'JONAS', coupon_codes: [], items: [] },
    });
    const refund = map('charge.refunded', { payment_intent: 'pi_1' }, false);
    assert.ok(refund.result === 'failed' && /secret key/.test(refund.reason));
  });

  test('a payment that has nothing to do with Checkout is ignored', async () => {
    assert.equal((await purchased('pi_unknown')).result, 'ignored');
    assert.equal(await fetchOrder(shop(), 'cs_unknown'), undefined);
    assert.equal(await fetchOrder(shop(), 'in_unknown'), undefined);
  });

  test('any payload gets an answer', async () => {
    const purchase = (await fetchOrder(
      shop(),
      account.sell({ code: 'A' }).session['id'],
    )) as Record<string, object>;
    const bill = account.all('invoice').at(-1)!;
    const invoiced = (await fetchOrder(shop(), bill['id'])) as Record<string, object>;
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom(...Object.keys(purchase).slice(1)),
        fc.constantFrom(...Object.keys(bill)),
        (value, part, field) => {
          const answers = (payload: unknown) =>
            assert.ok(stripe.toOrder(payload, context, '').result);
          answers(value);
          answers(eventOf('checkout.session.completed', { line_items: value }));
          for (const whole of [purchase, invoiced]) {
            answers({ ...whole, [part]: value });
            answers({ ...whole, refunds: [value], disputes: [value], lines: [value] });
            answers({
              ...whole,
              session: { ...whole['session'], [field]: value },
              invoice: { ...whole['invoice'], [field]: value },
            });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
