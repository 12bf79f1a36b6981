import assert from 'node:assert/strict';
import { idOf, openTestApp } from './harness.ts';
import { STORE } from './payouts.ts';

export const DAY_MS = 86_400_000;

/** A store with the coupons of two affiliates, for tests of what its orders earn. */
export async function openStore(settings: Record<string, unknown> = {}) {
  const app = await openTestApp({ settings });
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: unknown): Promise<any> => {
    const reply = await app.call(STORE + path, {
      method,
      key,
      ...(json === undefined ? {} : { json }),
    });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.body;
  };
  const maya = await send('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
  const tomas = await send('POST', '/coupons', { code: 'TOM5', user_id: idOf('tomas') });
  const date = app.site.calendar.toLocal(app.site.clock());
  const order = (json: object = {}) => ({ date, status: 'completed', total: 100, ...json });
  const put = async (id: number, json: object = {}) =>
    (await send('PUT', `/orders/${id}`, order(json))).referrals as any[];
  /** Whom an order is credited to, and what it earns. */
  const earned = async (id: number) =>
    (await send('GET', `/orders/${id}`)).referrals.map((one: any) => [
      one.user_id === idOf('maya') ? 'maya' : 'tomas',
      one.commission,
      one.credited_via,
    ]);
  const unpaid = async (coupon: { id: number }) =>
    (await app.call(`/coupons/${coupon.id}`, { key })).body.unpaid_commission as number;
  const verify = async () =>
    assert.deepEqual((await send('GET', '/ledger/verify')).differences, []);
  /** Days after the date of the other orders. */
  const at = (days: number) => app.site.calendar.toLocal(Date.parse(`${date}Z`) + days * DAY_MS);
  return { app, key, send, put, order, earned, unpaid, verify, maya, tomas, date, at };
}

export const ann = { customer: { email: 'ann@shop.example' } };
export const byMaya = { coupon_codes: ['MAYA10'] };
export const byTomas = { coupon_codes: ['TOM5'] };
