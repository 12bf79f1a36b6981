import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { changeCoupon } from './change-coupon.ts';
import { createCoupon } from './create-coupon.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const search = (query: string) => app.call(`/svc/store/v1/coupons${query}`, { key: admin });
const add = (code: string, user_id?: number) =>
  invoke<{ id: number }>(app.site, createCoupon, {
    code,
    ...(user_id !== undefined && { user_id }),
  });

test('coupons are found by the beginning of their code, affiliate, status and assignment', async () => {
  const summer = await add('Summer', idOf('maya'));
  await add('SUN_10', idOf('tomas'));
  await add('Free');
  await invoke(app.site, changeCoupon, { id: summer.id, status: 'disabled', percent_override: 12 });
  for (const [query, expected] of [
    ['', ['Free', 'SUN_10', 'Summer']],
    ['?sort=created', ['Summer', 'SUN_10', 'Free']],
    ['?sort=code', ['Free', 'Summer', 'SUN_10']],
    ['?sort=-code', ['SUN_10', 'Summer', 'Free']],
    ['?search=su&sort=code', ['Summer', 'SUN_10']],
    ['?search=sun_', ['SUN_10']],
    ['?search=su%25', []],
    ['?status=disabled', ['Summer']],
    ['?assigned=false', ['Free']],
    ['?assigned=true&status=active', ['SUN_10']],
    [`?user_id=${idOf('maya')}`, ['Summer']],
    ['?per_page=1&page=2', ['SUN_10']],
  ] as const) {
    const { body } = await search(query);
    assert.deepEqual(
      body.map(({ code }: { code: string }) => code),
      expected,
      query,
    );
  }
  const [coupon] = (await search('?search=summer')).body;
  assert.deepEqual(coupon, (await app.call(`/coupons/${summer.id}`, { key: admin })).body);
  assert.equal(refusal(await search('?sort=sales')), '400 rest_invalid_param');
});
