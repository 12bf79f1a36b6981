import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const maya = idOf('maya');

const change = async (path: string, method: 'POST' | 'PUT' | 'PATCH', json: object) => {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
};
await change(`/affiliates/${maya}`, 'PATCH', { display_name: 'Zoë 100% Quist' });
await change('/coupons', 'POST', { code: 'Zest_20', user_id: maya });
const order = { date: '2026-01-10T12:00:00', status: 'completed', total: 40, coupon_codes: [] };
for (const id of [7, 70, 71, 712, 7_000_000_000, 8]) await change(`/orders/${id}`, 'PUT', order);

const found = async (q: string) => {
  const { status, body } = await app.call(`${STORE}/search?q=${encodeURIComponent(q)}`, {
    key: admin,
  });
  assert.equal(status, 200);
  return body.items.map(({ type, id, title }: any) => `${type} ${id} ${title}`);
};

describe('GET /search', () => {
  test('finds affiliates, coupons and orders by how they begin, in any case', async () => {
    const person = `affiliate ${maya} Zoë 100% Quist`;
    const [, coupon] = await found('z');
    assert.match(coupon, /^coupon \d+ Zest_20$/);
    for (const q of ['ZOË', 'zoë 100% q', 'MAY', 'maya@'])
      assert.deepEqual(await found(q), [person], q);
    assert.deepEqual(await found('zest_'), [coupon]);
    for (const q of ['%', '_', 'zest%', 'quist', 'admin', ' '])
      assert.deepEqual(await found(q), [], q);
  });

  test('finds orders by the first digits of their number', async () => {
    const numbers = [7, 70, 71, 712, 7_000_000_000].map((id) => `order ${id} #${id}`);
    assert.deepEqual(await found('7'), numbers);
    assert.deepEqual(await found('#71'), numbers.slice(2, 4));
    assert.deepEqual(await found('999999999999999'), []);
  });

  test('400 without letters, 403 for an affiliate', async () => {
    assert.equal((await app.call(`${STORE}/search`, { key: admin })).status, 400);
    const key = await app.key('maya', 'read');
    assert.equal((await app.call(`${STORE}/search?q=a`, { key })).status, 403);
  });
});
