import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { SeededRandom } from '../../shared/seeded.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

for (const login of ['ann', 'bob']) {
  const code = login.toUpperCase();
  await send('POST', '/affiliates', { login, email: `${login}@post.example`, coupon: { code } });
}
await send('POST', '/coupons', { code: 'MAYA', user_id: idOf('maya') });
await send('POST', '/coupons', { code: 'MAYA-TOO', user_id: idOf('maya') });
await send('POST', '/coupons', { code: 'RICH', user_id: idOf('tomas'), percent_override: 20 });

let lastOrder = 0;
const order = (coupon_codes: string[], changes: object = {}) => ({
  date: '2026-03-10T12:00:00',
  status: 'completed',
  total: 100.1,
  coupon_codes,
  ...changes,
});

/** The commissions by coupon that an order is credited to now, in the order of the coupons. */
async function put(id: number, json: object): Promise<Record<string, number>> {
  await send('PUT', `/orders/${id}`, json);
  const { referrals } = await send('GET', `/orders/${id}`);
  const found = await Promise.all(
    referrals.map(async ({ coupon_id, commission, state }: any) => {
      const { body } = await app.call(`/coupons/${coupon_id}`, { key });
      return [body.code, state === 'void' ? 0 : commission];
    }),
  );
  return Object.fromEntries(found);
}

const stepsOf = async (id: number) =>
  (await send('GET', `/orders/${id}/commission`)).referrals.map(({ steps }: any) => steps);

test('each: every coupon of an order earns its own commission', async () => {
  assert.deepEqual(await put(++lastOrder, order(['BOB', 'ANN'])), { ANN: 10.01, BOB: 10.01 });
});

describe('first', () => {
  test('only the first coupon of the order is credited', async () => {
    await app.set({ 'attribution.several': 'first' });
    assert.deepEqual(await put(++lastOrder, order(['NO-COUPON', 'BOB', 'ANN'])), { BOB: 10.01 });
  });

  test('a code that is added later earns only when the first was removed, and then keeps the order', async () => {
    const id = ++lastOrder;
    await put(id, order(['ANN']));
    assert.deepEqual(await put(id, order(['BOB', 'ANN'])), { ANN: 10.01 });
    assert.deepEqual(await put(id, order(['RICH'])), { ANN: 0, RICH: 20.02 });
    assert.deepEqual(await put(id, order(['ANN', 'RICH'])), { ANN: 0, RICH: 20.02 });
    assert.deepEqual(await put(id, order(['ANN'])), { ANN: 10.01, RICH: 0 });
  });

  test('orders from before keep all their affiliates', async () => {
    await app.set({ 'attribution.several': 'each' });
    const id = ++lastOrder;
    await put(id, order(['ANN', 'BOB']));
    await app.set({ 'attribution.several': 'first' });
    const refunds = [{ id: 1, amount: 50.1 }];
    assert.deepEqual(await put(id, order(['ANN', 'BOB'], { refunds })), { ANN: 5, BOB: 5 });
  });
});

describe('share', () => {
  test('the commission of the first coupon is shared; cents that are left go to the first coupons', async () => {
    await app.set({ 'attribution.several': 'share' });
    assert.deepEqual(await put(++lastOrder, order(['RICH'])), { RICH: 20.02 });
    const id = ++lastOrder;
    assert.deepEqual(await put(id, order(['BOB', 'RICH', 'ANN'])), {
      ANN: 3.34,
      BOB: 3.34,
      RICH: 3.33,
    });
    assert.deepEqual(await put(++lastOrder, order(['RICH', 'ANN'])), { ANN: 10.01, RICH: 10.01 });
    for (const steps of await stepsOf(id)) {
      const [rounding, share] = steps.slice(-2);
      assert.deepEqual([rounding.step, rounding.amount, share.step], ['rounding', 10.01, 'share']);
      assert.deepEqual(share.facts, { share_of: 3 });
      assert.match(share.explanation, /One of 3 equal parts/);
    }
  });

  test('each affiliate has one part, whatever the number of their coupons', async () => {
    const codes = ['MAYA', 'MAYA-TOO', 'ANN'];
    assert.deepEqual(await put(++lastOrder, order(codes)), { ANN: 5.01, MAYA: 5 });
  });

  test("an affiliate's own order leaves the commission to the others", async () => {
    const json = order(['ANN', 'BOB'], { customer: { email: 'ann@post.example' } });
    assert.deepEqual(await put(++lastOrder, json), { ANN: 0, BOB: 10.01 });
  });

  test('an affiliate who is removed leaves the part to the others, with the terms of the first', async () => {
    const id = ++lastOrder;
    await put(id, order(['RICH', 'BOB']));
    assert.deepEqual(await put(id, order(['BOB'])), { BOB: 20.02, RICH: 0 });
    assert.deepEqual(await put(id, order(['BOB', 'ANN'])), { ANN: 10.01, BOB: 10.01, RICH: 0 });
  });

  test('an order stays shared when the setting changes, and one that was not shared stays so', async () => {
    const shared = ++lastOrder;
    const apart = ++lastOrder;
    await put(shared, order(['ANN', 'BOB']));
    await app.set({ 'attribution.several': 'each' });
    await put(apart, order(['ANN', 'BOB']));
    const refunds = [{ id: 1, amount: 50.1 }];
    assert.deepEqual(await put(shared, order(['ANN', 'BOB'], { refunds })), { ANN: 2.5, BOB: 2.5 });
    await app.set({ 'attribution.several': 'share' });
    assert.deepEqual(await put(apart, order(['ANN', 'BOB'], { refunds })), { ANN: 5, BOB: 5 });
  });

  test('a renewal is shared like the first payment', async () => {
    await app.set({ 'commission.renewals': 'always' });
    const subscription = { id: 'shared' };
    await put(++lastOrder, order(['RICH', 'BOB', 'ANN'], { subscription }));
    assert.deepEqual(await put(++lastOrder, order([], { subscription, total: 50 })), {
      ANN: 3.34,
      BOB: 3.33,
      RICH: 3.33,
    });
  });

  test('each part obeys the limit of its own affiliate', async () => {
    const limit = { amount: 15, per: 'affiliate', window: { kind: 'year' } };
    const { id: rule } = await send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
    // No other order of the year.
    const sent = (codes: string[], id = ++lastOrder, status = 'completed') =>
      put(id, order(codes, { date: '2024-03-10T12:00:00', total: 100, status }));
    assert.deepEqual(await sent(['ANN', 'BOB']), { ANN: 5, BOB: 5 });
    const alone = lastOrder + 1;
    assert.deepEqual(await sent(['ANN']), { ANN: 10 });
    assert.deepEqual(await sent(['ANN', 'BOB']), { ANN: 0, BOB: 5 });
    const refunded = lastOrder;
    assert.deepEqual(await sent(['BOB', 'ANN']), { ANN: 0, BOB: 5 });
    assert.deepEqual(await sent(['BOB', 'ANN', 'MAYA']), { ANN: 0, BOB: 0, MAYA: 3.33 });
    // What an order returns is for the affiliate whose it was.
    await sent(['ANN'], alone, 'cancelled');
    await sent(['ANN', 'BOB'], refunded, 'refunded');
    assert.deepEqual(await sent(['BOB', 'ANN']), { ANN: 5, BOB: 5 });
    // One that joins has its own limit as well.
    const joined = ++lastOrder;
    assert.deepEqual(await sent(['BOB'], joined), { BOB: 0 });
    assert.deepEqual(await sent(['BOB', 'ANN'], joined), { ANN: 5, BOB: 0 });
    assert.deepEqual(await sent(['BOB', 'ANN']), { ANN: 0, BOB: 0 });
    await send('DELETE', `/rewards/rules/${rule}`);
    assert.deepEqual((await send('GET', '/ledger/verify')).differences, []);
  });

  test('the parts always add up to one commission, through changes and refunds', async () => {
    const random = new SeededRandom(7);
    const codes = ['ANN', 'BOB', 'MAYA', 'MAYA-TOO', 'RICH'];
    const rule = { name: 'Rich', who: { affiliates: [idOf('tomas')] } };
    await send('POST', '/rewards/rules', {
      ...rule,
      rate: { percent: 33 },
      limit: { amount: 20, per: 'affiliate', window: { kind: 'always' } },
    });
    let shared = 0;
    let limited = 0;
    for (let i = 0; i < 150; i++) {
      const id = 1_000 + random.between(1, 30);
      const total = random.between(1, 30_000) / 100;
      const earned = await put(
        id,
        order(
          Array.from({ length: random.between(0, 4) }, () => random.pick(codes)),
          {
            total,
            status: random.pick(['completed', 'completed', 'processing', 'cancelled']),
            refunds: random.happens(0.4)
              ? [{ id: 1, amount: random.between(0, total * 100) / 100 }]
              : [],
          },
        ),
      );
      const parts = Object.values(earned).filter((amount) => amount > 0);
      const live = (await stepsOf(id)).filter((steps: any) => steps.at(-1).step !== 'void');
      const isLimited = (steps: any) => steps.some(({ step }: any) => step === 'limit');
      const ofOne = live.map((steps: any) => [
        isLimited(steps),
        steps.find(({ step }: any) => step === 'rounding')?.amount ?? 0,
      ]);
      const whole = Math.max(0, ...ofOne.map(([, amount]: any) => amount));
      for (const [isLess, amount] of ofOne) assert.ok(isLess || amount === whole, 'all share it');
      const sum = parts.reduce((all, part) => all + Math.round(part * 100), 0);
      const limits = ofOne.filter(([isLess]: any) => isLess).length;
      assert.ok(limits > 0 ? sum <= whole * 100 : sum === Math.round(whole * 100));
      limited += limits;
      if (parts.length > 1) shared++;
    }
    assert.ok(shared > 30 && limited > 5, `${shared} orders were shared, ${limited} parts limited`);
    const { differences } = await send('GET', '/ledger/verify');
    assert.deepEqual(differences, []);
  });
});

test('the settings say how many orders of the last 90 days were credited to several affiliates', async () => {
  const changes = { 'attribution.several': 'each' };
  await app.set({ 'attribution.several': 'first' });
  const effect = async () => (await send('POST', '/settings/effects', changes)).effects[0];
  assert.equal((await effect()).count, 0);
  assert.match((await effect()).text, /^In the last 90 days, 0 orders were .* to one alone\./);
  await app.set(changes);
  const date = app.site.calendar.toLocal(app.site.clock());
  await put(9_001, order(['ANN', 'BOB'], { date }));
  await put(9_002, order(['MAYA', 'MAYA-TOO'], { date }));
  await put(9_003, order(['ANN', 'BOB', 'RICH'], { date, status: 'cancelled' }));
  await put(9_004, order(['ANN', 'BOB'], { date }));
  await put(9_004, order(['ANN'], { date, total: 50 }));
  changes['attribution.several'] = 'share';
  assert.deepEqual(await effect(), {
    setting: 'attribution.several',
    count: 2,
    refused: false,
    text: 'In the last 90 days, 2 orders were credited to several affiliates. Applies to new orders.',
  });
  app.advance(91 * 86_400_000);
  assert.equal((await effect()).count, 0);
});
