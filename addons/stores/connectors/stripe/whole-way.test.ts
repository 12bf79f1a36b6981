import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { idOf } from '../../../../test/support/harness.ts';
import { fc } from '../../../../test/support/seeded-random.ts';
import { assertBalanced, figuresOf, reconcile, send, settle } from '../../test/compared-stores.ts';
import { StoreApp, type ConnectedStore } from '../../test/store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from '../../test/stripe/fake-stripe.ts';
import type { Sale, StripeObject } from '../../test/stripe/stripe-objects.ts';

/** A site of its own: the same account is connected to each only once. */
async function openStores(atMs?: number): Promise<StoreApp> {
  const opened = await StoreApp.open({ settings: { 'commission.renewals': 'always' } });
  if (atMs !== undefined) opened.app.advance(atMs - opened.app.site.clock());
  await opened.coupon('MAYA10');
  await opened.coupon('JONAS', idOf('tomas'));
  return opened;
}

interface StoreApi extends ConnectedStore {
  readonly at: StoreApp;
}

const stores = await openStores();
const fake = await FakeStripe.open();
after(() => fake.api.close());
const { account } = fake;
const nowMs = () => stores.app.site.clock();
account.nowS = Math.floor(nowMs() / 1_000);

/** The secret is known to Stripe and stored, and never shown. */
async function connect(at = stores): Promise<StoreApi> {
  const store = await at.connect({
    kind: 'stripe',
    credentials: { secret_key: SECRET_KEY },
    url: fake.api.url,
  });
  assert.equal(store.secret, null);
  return { ...store, at, secret: `whsec_${account.all('webhook_endpoint').at(-1)!['id']}` };
}
const shop = await connect();

const sign = (events: readonly StripeObject[], { secret, at }: StoreApi) =>
  events.map((event) => signed(event, secret, at.app.site.clock()));
const deliver = async (events: readonly StripeObject[], store = shop) => {
  for (const delivery of sign(events, store)) {
    assert.equal((await send(store.at, store, delivery)).status, 200);
  }
};
const orderOf = async (id: string, store = shop): Promise<any> =>
  (await figuresOf(stores, store))[id];

test('a payment earns, follows refunds and disputes', async () => {
  const { payment, charge } = account.sell({ code: 'MAYA10', ref: 'JONAS' });
  const follow = async (expected: object) => {
    await deliver(fake.takeEvents());
    await settle(stores);
    assert.partialDeepStrictEqual(await orderOf(payment['id']), expected);
  };
  // The code wins over the link: 10 % of 90.00.
  await follow({
    status: 'completed',
    total: 113,
    earned: [{ coupon_id: 1, commission: 9, state: 'granted' }],
  });
  const refund = account.refund(charge, 5_650);
  await follow({ refunded: 56.5, earned: [{ commission: 4.5 }] });
  account.failRefund(refund);
  await follow({ refunded: 0, earned: [{ commission: 9 }] });
  const dispute = account.dispute(charge);
  await follow({ status: 'on-hold', earned: [{ state: 'void' }] });
  account.closeDispute(dispute, 'won');
  await follow({ status: 'completed', earned: [{ commission: 9, state: 'granted' }] });
  account.closeDispute(account.dispute(charge), 'lost');
  await follow({ status: 'refunded', earned: [{ state: 'void' }] });
});

test('a subscription earns with each payment, by what the setting was at the first', async () => {
  const subscription = account.subscribe({ code: 'MAYA10' });
  const renewal = account.bill(subscription);
  await deliver(fake.takeEvents());
  await settle(stores);
  const [first] = account.all('invoice');
  assert.partialDeepStrictEqual(await orderOf(first!['id']), {
    earned: [{ coupon_id: 1, commission: 2.7 }],
  });
  assert.partialDeepStrictEqual(await orderOf(renewal['id']), {
    earned: [{ coupon_id: 1, commission: 3 }],
  });
  await stores.app.set({ 'commission.renewals': 'once' });
  const later = account.bill(subscription);
  await deliver(fake.takeEvents());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(later['id']), {
    earned: [{ coupon_id: 1, commission: 3 }],
  });
  await stores.app.set({ 'commission.renewals': 'always' });
});

test('another currency has the rate of Stripe, and a wrong clock or secret is refused', async () => {
  const { payment } = account.sell({ code: 'MAYA10', currency: 'eur' });
  const [event] = fake.takeEvents();
  for (const [secret, atMs, reason] of [
    ['whsec_other', nowMs(), /does not fit/],
    [shop.secret, nowMs() - 3_600_000, /60 minutes old/],
  ] as const) {
    assert.equal((await send(stores, shop, signed(event!, secret, atMs))).status, 401);
    assert.match((await stores.connection(shop.id)).rejected_reason, reason);
  }
  await deliver([event!, event!]);
  await settle(stores);
  // 90.00 EUR at 1.1.
  assert.partialDeepStrictEqual(await orderOf(payment['id']), { earned: [{ commission: 9.9 }] });
  const { body } = await stores.post(`/connections/${shop.id}/test-order`, {
    code: 'MAYA10',
    total: 50,
  });
  assert.equal(body.order.referrals[0].commission, 5);
});

test('a webhook that was removed in Stripe is created again, with its new secret', async () => {
  const [endpoint] = account.all('webhook_endpoint');
  account.objects.delete(endpoint!['id']);
  const { body } = await stores.post(`/connections/${shop.id}/check`);
  assert.match(body.notes.join(' '), /Created the webhook/);
  shop.secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
  const { payment } = account.sell({ ref: 'JONAS' });
  await deliver(fake.takeEvents());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(payment['id']), {
    earned: [{ coupon_id: 2, commission: 10 }],
  });
});

test('the history is imported in pages, also of more than 30 days', async () => {
  const imported = await connect(await openStores(nowMs()));
  fake.pageSizeMax = 3;
  fake.api.fail('busy');
  const reply = await imported.at.post(`/connections/${imported.id}/import`, {
    since: '2020-01-01',
  });
  assert.equal(reply.status, 200, reply.text);
  for (let i = 0; i < 4; i += 1) {
    await imported.at.sync();
    imported.at.app.advance(60_000);
  }
  fake.pageSizeMax = 100;
  const [all, known] = [await figuresOf(imported.at, imported), await figuresOf(stores, shop)];
  assert.ok(Object.keys(known).length >= 5);
  for (const [id, figures] of Object.entries(known)) assert.deepEqual(all[id], figures, id);
});

const step = fc.record({
  sale: fc.nat(1),
  act: fc.constantFrom('refund', 'fail', 'dispute', 'win', 'lose', 'renew', 'refund-invoice'),
  amount: fc.integer({ min: 1, max: 9_000 }),
});

/** Applies a step where it makes sense. */
function run(
  { sale, act, amount }: { sale: number; act: string; amount: number },
  sales: readonly Sale[],
  subscription: StripeObject,
): void {
  const { charge } = sales[sale]!;
  const refund = account
    .all('refund')
    .findLast((each) => each['charge'] === charge['id'] && each['status'] === 'succeeded');
  const dispute = account
    .all('dispute')
    .findLast((each) => each['charge'] === charge['id'] && each['status'] === 'needs_response');
  if (act === 'refund' && charge['amount_refunded'] < charge['amount'])
    account.refund(charge, amount);
  if (act === 'fail' && refund) account.failRefund(refund);
  if (act === 'dispute' && !charge['disputed']) account.dispute(charge);
  if (act === 'win' && dispute) account.closeDispute(dispute, 'won');
  if (act === 'lose' && dispute) account.closeDispute(dispute, 'lost');
  if (act === 'renew') account.bill(subscription);
  if (act === 'refund-invoice')
    account.refund(account.chargeOf(account.all('invoice').at(-1)!), amount);
}

test('events that are shuffled, doubled or missing are reconciled to the same figures', async () => {
  // After everything that the tests before have sold.
  stores.app.advance(60 * 60_000);
  const disturbed = await connect(await openStores(nowMs()));
  const inSequence = await connect(await openStores(nowMs()));
  fake.takeEvents();
  account.nowS = Math.floor(nowMs() / 1_000);
  const begin = account.tick();
  const fate = fc.record({ place: fc.nat(1_000), copies: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 10 }),
      fc.array(fate, { minLength: 30, maxLength: 30 }),
      fc.boolean(),
      async (steps, fates, isFailing) => {
        account.nowS = Math.max(account.nowS, Math.floor(nowMs() / 1_000));
        const sales = [
          account.sell({ code: 'MAYA10' }),
          account.sell({ ref: 'JONAS', currency: 'eur' }),
        ];
        const subscription = account.subscribe({ code: 'MAYA10' });
        const sequence: StripeObject[] = [];
        const settleSequence = async () => {
          const events = fake.takeEvents();
          sequence.push(...events);
          await deliver(events, inSequence);
          await settle(inSequence.at);
        };
        await settleSequence();
        for (const each of steps) {
          run(each, sales, subscription);
          await settleSequence();
        }
        const shuffled = sequence
          .flatMap((event, i) =>
            Array.from({ length: fates[i % 30]!.copies }, () => ({
              event,
              place: fates[i % 30]!.place,
            })),
          )
          .sort((a, b) => a.place - b.place);
        if (isFailing) fake.api.fail('busy', 'down');
        await deliver(
          shuffled.map(({ event }) => event),
          disturbed,
        );
        await settle(disturbed.at);
        fake.api.recover();
        await reconcile(disturbed.at, disturbed, begin * 1_000);
        assert.deepEqual(
          await figuresOf(disturbed.at, disturbed),
          await figuresOf(inSequence.at, inSequence),
        );
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
  await assertBalanced(disturbed.at);
});
