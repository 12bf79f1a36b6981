import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE, type PayoutApp } from '../../../test/support/payouts.ts';
import { followUp } from '../payment/follow-up.ts';
import { openPayPal, openStripe, openWise, type PaymentService } from './payment-once/services.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const METRICS_TOKEN = 'a-token-that-only-the-tests-know';

/** What the affiliate must never read about the store's account at a gateway. */
const STORE_WORDS = /\bkey\b|token|credential|\bfunds\b|balance|permi|refused|api_key/i;

interface Walk {
  readonly service: PaymentService;
  /** The setting that an administrator may get wrong. */
  readonly setting: string;
  readonly rightKey: string;
  readonly wrongKey: string;
  readonly settings: Record<string, string>;
}

async function openWalks(): Promise<Walk[]> {
  const [stripe, paypal, wise] = await Promise.all([openStripe(), openPayPal(), openWise()]);
  return [
    {
      service: stripe,
      setting: 'payouts.stripe_key',
      rightKey: stripe.config.stripeKey!,
      wrongKey: 'sk_test_wrongKey0000000000000',
      settings: {},
    },
    {
      service: paypal,
      setting: 'payouts.paypal_secret',
      rightKey: paypal.config.paypalSecret!,
      wrongKey: 'wrongPayPalSecret',
      settings: { 'payouts.paypal_client_id': paypal.config.paypalClientId! },
    },
    {
      service: wise,
      setting: 'payouts.wise_token',
      rightKey: wise.config.wiseToken!,
      wrongKey: 'wrong-wise-token',
      settings: wise.settings,
    },
  ];
}

const walks = await openWalks();
after(() => Promise.all(walks.map(({ service }) => service.fake.close())));

/** A store whose administrator sets the gateway up through the settings, and an affiliate who uses it. */
async function openStore({ service, settings }: Walk): Promise<PayoutApp> {
  const { stripeUrl, paypalUrl, wiseUrl } = service.config;
  const store = await openPayoutApp({
    config: {
      metricsToken: METRICS_TOKEN,
      ...(stripeUrl && { stripeUrl }),
      ...(paypalUrl && { paypalUrl }),
      ...(wiseUrl && { wiseUrl }),
    },
    settings: {
      'payouts.auto_accept': true,
      'payouts.details_hold_hours': 0,
      'payouts.methods': [service.method],
      ...settings,
    },
  });
  const { method, details } = service;
  // Mails about one cause are counted by the hours of the clock.
  store.app.advance(HOUR_MS - (store.app.site.clock() % HOUR_MS));
  const saved = await store.setDetails('maya', { method_type: method, details }, store.maya);
  assert.equal(saved.status, 200, saved.text);
  return store;
}

/** As the background job does, so much later. */
async function follow({ app }: PayoutApp, afterMs: number): Promise<void> {
  app.advance(afterMs);
  await followUp.run(app.site);
}

async function setKey({ app, admin }: PayoutApp, { setting }: Walk, key: string): Promise<void> {
  const json = { [setting]: key };
  const reply = await app.call(`${STORE}/settings`, { method: 'PATCH', key: admin, json });
  assert.equal(reply.status, 200, reply.text);
}

const problemMails = async ({ app }: PayoutApp) =>
  (await outbox(app.site)).filter(({ template }) => template === 'payout-gateway-problem');

/** Everything that the affiliate can read about its payouts, and every mail that it got. */
async function allThatAffiliateSees({ app, maya }: PayoutApp, couponIds: number[]) {
  const paths = ['/payouts', '/me', `/affiliates/${idOf('maya')}`];
  for (const id of couponIds) paths.push(`/coupons/${id}`, `${STORE}/coupons/${id}/ledger`);
  const replies = await Promise.all(paths.map((path) => app.call(path, { key: maya })));
  for (const reply of replies) assert.ok(reply.status < 300, reply.text);
  // The values count, not the names of fields; /me names the kind of the caller's own credential.
  const texts = replies.map(({ text }) => text.replaceAll(/"\w+":|"api_key"/g, ''));
  const mails = (await outbox(app.site)).filter((mail) => mail.to_address.startsWith('maya@'));
  return [...texts, ...mails.map(({ subject, text, html }) => subject + text + html)];
}

async function assertNotBlamed(store: PayoutApp, couponIds: number[]): Promise<void> {
  for (const text of await allThatAffiliateSees(store, couponIds)) {
    assert.doesNotMatch(text, STORE_WORDS);
  }
  const events = await store.events(0);
  for (const event of events) assert.doesNotMatch(JSON.stringify(event), STORE_WORDS);
}

async function metricOf({ app }: PayoutApp, gateway: string, reason: string): Promise<number> {
  const { text } = await app.call('~/metrics', { key: METRICS_TOKEN });
  const labels = `{gateway="${gateway}",reason="${reason}"}`;
  const line = text.split('\n').find((one) => one.includes(`failures_total${labels}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

function logLines({ app }: PayoutApp, gateway: string, reason: string): any[] {
  const lines = app.logs.map((line) => JSON.parse(line));
  return lines.filter((line) => line.gateway === gateway && line.reason === reason);
}

/** The gateway completes accepted payments, and the payouts are updated. */
async function complete(store: PayoutApp, { service }: Walk): Promise<void> {
  for (const { id } of service.fake.payments) service.settle?.(id, 'complete');
  await follow(store, 61 * MINUTE_MS);
}

/** Two payouts fail; the administrator fixes the cause, and each is paid once. */
async function walk(
  one: Walk,
  reason: 'credentials' | 'balance',
  { breakIt, mendIt }: Record<'breakIt' | 'mendIt', (store: PayoutApp) => Promise<void>>,
): Promise<void> {
  const { method, fake, centsOf } = one.service;
  const store = await openStore(one);
  const paidBefore = fake.payments.length;
  await breakIt(store);

  const coupons = [await store.coupon(20), await store.coupon(30)];
  const ids: number[] = [];
  for (const coupon of coupons) {
    const reply = await store.request(coupon, store.maya);
    assert.equal(reply.status, 201, reply.text);
    const { status, gateway_triggered, failure_reason, gateway_notice } = reply.body;
    assert.deepEqual([status, gateway_triggered, failure_reason], ['processing', true, null]);
    assert.doesNotMatch(gateway_notice, STORE_WORDS);
    ids.push(reply.body.id);
  }
  await follow(store, 2 * MINUTE_MS);

  // The administrators know, by mail, log, metric and on the payout.
  const mails = await problemMails(store);
  assert.deepEqual(
    mails.map(({ to_address }) => to_address),
    ['admin@test.example'],
    'one mail for one cause, not one for each payout',
  );
  const label = { stripe: 'Stripe', paypal: 'PayPal', wise: 'Wise' }[method]!;
  assert.match(mails[0]!.subject, new RegExp(label));
  assert.match(mails[0]!.text, reason === 'credentials' ? /credentials/ : /Add money/);
  assert.equal(await metricOf(store, method, reason), 4, 'two payouts, attempted twice each');
  const lines = logLines(store, method, reason);
  assert.deepEqual(
    lines.map(({ suppressed }) => suppressed),
    [undefined, 1],
    'one line for one cause and minute',
  );
  assert.ok(ids.includes(lines[0].payout_id));
  for (const id of ids) {
    const shown = await store.get(id);
    assert.equal(shown.status, 'processing');
    assert.equal(shown.failure_reason.code, reason);
    assert.match(shown.failure_reason.message, new RegExp(label));
  }
  const told = JSON.stringify([mails, lines, await store.get(ids[0]!)]);
  for (const secret of [one.rightKey, one.wrongKey]) assert.ok(!told.includes(secret));

  // The affiliate is not blamed, and its money waits.
  await assertNotBlamed(store, coupons);
  assert.deepEqual(await store.pools(coupons[0]!), [0, 20, 0]);
  assert.equal(fake.payments.length, paidBefore);

  // An hour later the administrators are reminded once.
  await follow(store, 61 * MINUTE_MS);
  assert.equal((await problemMails(store)).length, 2);

  await mendIt(store);
  for (const id of ids) {
    const shown = await store.get(id);
    assert.ok(['paid', 'created'].includes(shown.status), shown.status);
    assert.equal(shown.failure_reason, null);
  }
  await complete(store, one);
  for (const id of ids) assert.equal((await store.get(id)).status, 'paid');
  const payments = fake.payments.slice(paidBefore);
  assert.deepEqual(payments.map(centsOf).sort(), [2_000, 3_000], 'each is paid exactly once');
  for (const [i, coupon] of coupons.entries()) {
    assert.deepEqual(await store.pools(coupon), [0, 0, [20, 30][i]]);
  }
  await assertNotBlamed(store, coupons);
  await store.assertClean();
}

afterEach(() => {
  for (const { service } of walks) service.fake.behave();
});

describe('a payout whose gateway does not pay because of the store', () => {
  for (const one of walks) {
    const { method, fake } = one.service;

    test(`${method}: the key is wrong until the administrator corrects it`, () =>
      walk(one, 'credentials', {
        breakIt: (store) => setKey(store, one, one.wrongKey),
        async mendIt(store) {
          await setKey(store, one, one.rightKey);
          // No wait: new credentials are used at once.
          await follow(store, 0);
        },
      }));

    test(`${method}: the balance is empty until the administrator fills it`, () =>
      walk(one, 'balance', {
        async breakIt(store) {
          await setKey(store, one, one.rightKey);
          fake.empty(true);
        },
        async mendIt(store) {
          fake.empty(false);
          await follow(store, 61 * MINUTE_MS);
        },
      }));
  }

  test('PayPal accepts the payment and fails it for want of money: failed, and not blamed', async () => {
    const one = walks.find(({ service }) => service.method === 'paypal')!;
    const store = await openStore(one);
    await setKey(store, one, one.rightKey);
    const coupon = await store.coupon(40);
    const { body } = await store.request(coupon, store.maya);
    assert.equal(body.status, 'created');
    one.service.failForWantOfMoney!(body.transaction_id);
    await follow(store, 61 * MINUTE_MS);

    const shown = await store.get(body.id);
    assert.deepEqual([shown.status, shown.failure_reason.code], ['failed', 'balance']);
    const own = await store.app.call(`/payouts/${body.id}`, { key: store.maya });
    assert.equal(own.body.failure_reason.code, 'not_paid');
    assert.doesNotMatch(own.body.failure_reason.message, STORE_WORDS);
    const mail = (await outbox(store.app.site)).find(
      ({ template }) => template === 'payout-failed',
    );
    assert.equal(mail!.to_address, 'maya@test.example');
    assert.ok(mail!.text.includes("You don't need to change anything"));
    assert.match(mail!.text, /The amount is available to you again/);
    await assertNotBlamed(store, [coupon]);
    assert.equal((await problemMails(store)).length, 1);
    assert.deepEqual(await store.pools(coupon), [40, 0, 0]);
  });

  test('a refusal that concerns the account is reported to the affiliate, with instructions', async () => {
    const one = walks.find(({ service }) => service.method === 'stripe')!;
    const store = await openStore(one);
    await setKey(store, one, one.rightKey);
    one.service.fake.next('decline');
    const { body } = await store.request(await store.coupon(10), store.maya);
    assert.deepEqual([body.status, body.failure_reason.code], ['failed', 'account_not_ready']);
    assert.match(body.failure_reason.message, /finish setting it up/);
    const mail = (await outbox(store.app.site)).at(-1)!;
    assert.ok(mail.text.includes(body.failure_reason.message));
    assert.deepEqual(await problemMails(store), []);
  });
});
