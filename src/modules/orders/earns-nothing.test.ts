import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

/** `commission` is what an order earns now: nothing while it is void, whatever it earned before. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const coupon = (
  await app.call(`${STORE}/coupons`, {
    method: 'POST',
    key: admin,
    json: { code: 'NOTHING', user_id: idOf('maya') },
  })
).body;

const order = (changes: object = {}) => ({
  date: '2026-03-29T12:00:00',
  status: 'completed',
  total: 90,
  coupon_codes: ['NOTHING'],
  ...changes,
});

let lastOrder = 0;
async function put(id: number, json: object) {
  const reply = await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

/** The commission of an order wherever it is shown. */
async function shown(id: number) {
  const stored = (await app.call(`${STORE}/orders/${id}`, { key: admin })).body;
  const explained = (await app.call(`${STORE}/orders/${id}/commission`, { key: admin })).body;
  const list = (await app.call(`/coupons/${coupon.id}/orders?per_page=100`, { key: admin })).body;
  const csv = (await app.call(`${STORE}/exports/orders.csv`, { key: admin })).text.split('\r\n');
  const column = csv[0]!.split(',').indexOf('commission');
  return {
    stored: stored.referrals[0].commission,
    explained: explained.referrals[0].commission,
    lastStep: explained.referrals[0].steps.at(-1).amount,
    listed: list.find((row: any) => row.order_id === id).commission,
    exported: Number(
      csv
        .find((line) => line.startsWith(`${id},`))!
        .split(',')
        .at(column),
    ),
  };
}

const everywhere = (amount: number) => ({
  stored: amount,
  explained: amount,
  lastStep: amount,
  listed: amount,
  exported: amount,
});

describe('an order that earns nothing', () => {
  for (const [name, changes] of [
    ['pending', { status: 'pending' }],
    ['on hold', { status: 'on-hold' }],
    ['cancelled', { status: 'cancelled' }],
    ['failed', { status: 'failed' }],
    ['refunded by its status', { status: 'refunded' }],
    ['fully refunded', { refunds: [{ id: 1, amount: 90 }] }],
  ] as const) {
    test(`${name}: commission 0 everywhere, from the start and after it earned`, async () => {
      const [fresh, changed] = [++lastOrder, ++lastOrder];
      assert.equal((await put(fresh, order(changes))).referrals[0].commission, 0);
      assert.deepEqual(await shown(fresh), everywhere(0));
      await put(changed, order());
      assert.deepEqual(await shown(changed), everywhere(9));
      await put(changed, order(changes));
      assert.deepEqual(await shown(changed), everywhere(0));
      const { body } = await app.call('/events?event=referral&per_page=1', { key: admin });
      assert.equal(body[0].event, 'referral.reversed');
      assert.deepEqual([body[0].data.commission, body[0].data.amount], [0, 9]);
      await put(changed, order());
      assert.deepEqual(await shown(changed), everywhere(9), 'and earns again');
    });
  }

  test('self-referred: commission 0 everywhere, with the reason', async () => {
    const id = ++lastOrder;
    await put(id, order({ customer: { email: 'maya@test.example' } }));
    assert.deepEqual(await shown(id), everywhere(0));
    const { body } = await app.call(`${STORE}/orders/${id}/commission`, { key: admin });
    assert.match(body.referrals[0].steps.at(-1).explanation, /own order/);
  });

  test('of the same mailbox: other spellings of the own address are the own address', async () => {
    const add = async (code: string, email: string) => {
      const json = { login: code.toLowerCase(), email, coupon: { code } };
      const made = await app.call(`${STORE}/affiliates`, { method: 'POST', key: admin, json });
      assert.equal(made.status, 201, made.text);
    };
    await add('ANN', 'a.nn+shop@gmail.com');
    await add('BOB', 'bob.b@post.example');
    for (const [code, email, commission] of [
      ['ANN', 'ann@gmail.com', 0],
      ['ANN', 'A.N.N+x+y@GoogleMail.com', 0],
      ['ANN', 'a.nn@post.example', 9],
      ['ANN', 'annn@gmail.com', 9],
      ['BOB', 'bob.b+orders@post.example', 0],
      ['BOB', 'bobb@post.example', 9],
      ['BOB', '+bob.b@post.example', 9],
    ] as const) {
      const json = order({ coupon_codes: [code], customer: { email } });
      const { referrals } = await put(++lastOrder, json);
      assert.equal(referrals[0].commission, commission, `${code} ${email}`);
    }
  });

  test('the explanation shows what it would earn and why it does not', async () => {
    const id = ++lastOrder;
    await put(id, order({ status: 'cancelled' }));
    const { body } = await app.call(`${STORE}/orders/${id}/commission`, { key: admin });
    const [rounding, last] = body.referrals[0].steps.slice(-2);
    assert.deepEqual([rounding.step, rounding.amount], ['rounding', 9]);
    assert.deepEqual(last, {
      step: 'void',
      explanation: 'An order that is cancelled earns nothing.',
      facts: { reason: 'order_status', status: 'cancelled' },
      amount: 0,
    });
  });

  test('an awaiting commission is reversed with its amount', async () => {
    const id = ++lastOrder;
    await put(id, order({ status: 'processing' }));
    await put(id, order({ status: 'cancelled' }));
    const { body } = await app.call('/events?event=referral.reversed&per_page=1', { key: admin });
    assert.deepEqual([body[0].data.order_id, body[0].data.amount], [id, 9]);
  });
});
