import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const STORE = '/svc/store/v1';

async function openStore() {
  const app = await openTestApp();
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  await send('POST', '/coupons', { code: 'CODE', user_id: idOf('maya') });
  const order = (id: number, changes: object = {}) =>
    send('PUT', `/orders/${id}`, {
      date: '2026-11-10T12:00:00',
      status: 'completed',
      total: 100,
      coupon_codes: ['CODE'],
      ...changes,
    });
  return { app, send, order };
}

describe('the explanation of an order', () => {
  test('names the rule that decided, and the first one above it that nearly did', async () => {
    const { app, send, order } = await openStore();
    const rule = async (fields: object) => (await send('POST', '/rewards/rules', fields)).id;
    await rule({ name: 'Tomas', who: { affiliates: [idOf('tomas')] }, rate: { percent: 50 } });
    const large = await rule({ name: 'Large', order: { min_total: 200 }, rate: { percent: 30 } });
    const winner = await rule({ name: 'All', rate: { percent: 20 } });
    await rule({ name: 'Below', rate: { percent: 5 } });
    await order(1);
    // What changes later does not change the explanation.
    await send('PATCH', `/rewards/rules/${winner}`, { rate: { percent: 1 } });
    const { referrals } = await send('GET', '/orders/1/commission');
    assert.deepEqual(
      referrals[0].rules.map(({ id, because }: any) => [id, because]),
      [
        [large, 'min_total'],
        [winner, null],
      ],
    );
    assert.match(referrals[0].rules[1].sentence, /earns 20%/);
    const percent = referrals[0].steps.find(({ step }: any) => step === 'percent');
    assert.deepEqual([percent.facts.rate_of, percent.facts.rule_id], ['rule', winner]);

    const maya = await app.key('maya', 'read');
    const own = await app.call(`${STORE}/orders/1/commission`, { key: maya });
    assert.deepEqual(
      own.body.referrals[0].rules.map(({ sentence }: any) => sentence.startsWith('You earn')),
      [true, true],
    );
  });

  test('names products as the order does, to the affiliate too', async () => {
    const { app, send, order } = await openStore();
    await send('POST', '/rewards/rules', {
      name: 'Lamps',
      what: { products: ['7', '8'] },
      rate: { percent: 20 },
    });
    await order(1, {
      items: [
        { product_id: 7, name: 'Reading lamp', quantity: 1, subtotal: 60, total: 60 },
        { product_id: 8, quantity: 1, subtotal: 40, total: 40 },
      ],
    });
    const maya = await app.key('maya', 'read');
    const { body } = await app.call(`${STORE}/orders/1/commission`, { key: maya });
    const [{ steps, rules }] = body.referrals;
    assert.deepEqual(
      steps
        .filter(({ step }: any) => step === 'percent')
        .map(({ facts }: any) => [facts.product_id, facts.product_name]),
      [
        ['7', 'Reading lamp'],
        ['8', undefined],
      ],
    );
    assert.match(rules[0].sentence, /Reading lamp and 8/);
  });

  test('has no rules where none decided', async () => {
    const { send, order } = await openStore();
    await order(1);
    assert.deepEqual((await send('GET', '/orders/1/commission')).referrals[0].rules, []);
  });
});

describe('payments of a subscription without numbers', () => {
  test('are counted as they come, and another version of an order is the same payment', async () => {
    const { send, order } = await openStore();
    await send('POST', '/rewards/rules', {
      name: 'Third payment',
      order: { payment: 'renewal', payments: { from: 3, to: 3 } },
      rate: { percent: 30 },
    });
    const subscription = { id: 'S-1' };
    await order(1, { subscription });
    await order(2, { subscription, coupon_codes: [] });
    await order(2, { subscription, coupon_codes: [], refunds: [{ id: 1, amount: 10 }] });
    const third = await order(3, { subscription, coupon_codes: [] });
    assert.equal(third.referrals[0].commission, 30);
    const again = await order(3, { subscription, coupon_codes: [], total: 50 });
    assert.equal(again.referrals[0].commission, 15);
    const fourth = await order(4, { subscription, coupon_codes: [] });
    assert.equal(fourth.referrals[0].commission, 0, 'renewals earn nothing by themselves');
    const other = await order(5, { subscription: { id: 'S-2' } });
    assert.equal(other.referrals[0].commission, 10, 'the first payment of another one');
  });

  test('go to the affiliate of the first payment, unless another code is used', async () => {
    const { send, order } = await openStore();
    await send('POST', '/coupons', { code: 'OTHER', user_id: idOf('tomas') });
    await send('PATCH', '/settings', { 'commission.renewals': 'always' });
    await order(1, { subscription: { id: 'S-1' } });
    const earned = ({ referrals }: any) => referrals.map((r: any) => [r.user_id, r.commission]);
    const renewal = await order(2, { subscription: { id: 'S-1' }, coupon_codes: [] });
    assert.deepEqual(earned(renewal), [[idOf('maya'), 10]]);
    const other = await order(3, { subscription: { id: 'S-1' }, coupon_codes: ['OTHER'] });
    assert.deepEqual(earned(other), [[idOf('tomas'), 10]]);
  });
});
