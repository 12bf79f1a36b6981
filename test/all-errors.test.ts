import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from './support/harness.ts';

/** An error lists the errors that an operation finds together with those of the schema. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const cases: [method: string, path: string, json: object, invalid: string[], missing?: string[]][] =
  [
    ['POST', `${STORE}/coupons`, { code: '', fixed_per_order: 0.001 }, ['code', 'fixed_per_order']],
    [
      'PATCH',
      `${STORE}/coupons/1`,
      { status: 'gone', fixed_per_product: '1.005', fixed_per_order: 1e15 },
      ['fixed_per_order', 'fixed_per_product', 'status'],
    ],
    ['POST', `${STORE}/groups`, { fixed_per_order: 0.001 }, ['fixed_per_order'], ['name']],
    [
      'PATCH',
      `${STORE}/groups/1`,
      { name: '', fixed_per_product: 0.001 },
      ['fixed_per_product', 'name'],
    ],
    [
      'POST',
      `${STORE}/affiliates`,
      { login: 'x', email: 'none', coupon: { code: 'A', fixed_per_order: 0.001 } },
      ['coupon.fixed_per_order', 'email'],
    ],
    ['POST', `${STORE}/coupons/1/adjustments`, { amount: 0 }, ['amount'], ['note']],
    ['POST', `${STORE}/clicks`, { campaign: 5, date: 'soon' }, ['campaign', 'date'], ['code']],
    ['POST', '/keys', { scopes: ['all'], expires: '2001-01-01' }, ['expires', 'scopes']],
    [
      'PATCH',
      `${STORE}/settings`,
      { 'addons.disabled': ['none'], 'api.rate_per_minute': -1 },
      ['addons.disabled', 'api.rate_per_minute'],
    ],
  ];

describe('every invalid parameter is named in one response', () => {
  for (const [method, path, json, invalid, missing] of cases) {
    test(`${method} ${path}`, async () => {
      const reply = await app.call(path, { method, key: admin, json });
      assert.equal(reply.status, 400, reply.text);
      const { params, invalid: alsoInvalid } = reply.body.data;
      assert.deepEqual(Object.keys(missing ? alsoInvalid : params).sort(), invalid);
      if (missing) assert.deepEqual(params, missing);
    });
  }

  test('the command line names them as well', async () => {
    const { createCoupon } = await import('../src/modules/coupons/index.ts');
    const { invoke } = await import('../src/kernel/call/invoke.ts');
    const invalid = invoke(app.site, createCoupon, { code: '', fixed_per_order: '0.001' });
    await assert.rejects(invalid, /Invalid parameter\(s\): code, fixed_per_order/);
  });

  test('each click of a list has its own faults', async () => {
    const clicks = [{ date: 'soon' }, { code: 'x', date: 'soon' }, 5];
    const { body } = await app.call(`${STORE}/clicks`, {
      method: 'POST',
      key: admin,
      json: clicks,
    });
    assert.deepEqual(
      body.refused.map(({ params, invalid }: any) => [params, Object.keys(invalid ?? {})]),
      [
        [['code'], ['date']],
        [{ date: body.refused[1].params.date }, []],
        [{ body: 'must be an object' }, []],
      ],
    );
  });
});
