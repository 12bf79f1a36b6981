import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { idOf, openTestApp } from './support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

interface Described {
  type?: string;
  properties?: Record<string, TSchema>;
}

/** The objects within a schema that contain amounts: amounts are numbers, ids and counts are integers. */
function withAmounts(schema: TSchema): Record<string, TSchema>[] {
  const { properties = {} } = schema as Described;
  const inner = Object.values(properties).flatMap(withAmounts);
  const hasAmount = Object.values(properties).some((s) => (s as Described).type === 'number');
  return hasAmount ? [properties, ...inner] : inner;
}

test('every event with amounts declares their currency', () => {
  const objects = app.site.registry
    .events()
    .flatMap((event) => withAmounts(event.data).map((fields) => ({ name: event.name, fields })));
  assert.ok(objects.length >= 14, 'referral, commission, level and payout events');
  const without = objects.filter(({ fields }) => !('currency' in fields)).map(({ name }) => name);
  assert.deepEqual(without, []);
});

test("events of orders, levels, adjustments and payouts carry the store's currency", async () => {
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(path, { method, key: admin, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const coupon = (code: string, login: string) =>
    send('POST', `${STORE}/coupons`, { code, user_id: idOf(login) });
  await coupon('ABOVE', 'tomas');
  const own = await coupon('MONEY', 'maya');
  await send('PUT', `${STORE}/affiliates/${idOf('maya')}/parent`, { parent_id: idOf('tomas') });
  const order = { date: '2026-03-29T12:00:00', total: 100, coupon_codes: ['MONEY'] };
  const foreign = { currency: 'JPY', exchange_rate: 0.01, total: 10_000 };
  for (const status of ['processing', 'completed', 'cancelled', 'completed']) {
    await send('PUT', `${STORE}/orders/1`, { ...order, ...foreign, status });
  }
  for (const amount of [5, -1]) {
    await send('POST', `${STORE}/coupons/${own.id}/adjustments`, { amount, note: 'x' });
  }
  await send('PUT', `${STORE}/affiliates/${idOf('maya')}/payout-details`, {
    method_type: 'credit',
    details: {},
  });
  await app.set({ 'payouts.details_hold_hours': 0 });
  await send('POST', '/payouts', { coupon_id: own.id });

  const { body } = await app.call('/events?after=0&per_page=100', { key: admin });
  const names = [
    'referral.created',
    'referral.updated',
    'referral.reversed',
    'commission.added',
    'commission.removed',
    'commission.mla_added',
    'commission.mla_removed',
    'payout.requested',
  ];
  for (const name of names) {
    const event = body.find((one: any) => one.event === name);
    assert.equal(event?.data.currency, 'USD', name);
  }
});
