import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { changeCoupon } from './change-coupon.ts';
import { createCoupon } from './create-coupon.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read');
const list = (search = '') => app.call(`/coupons${search}`, { key: admin });
const codes = async (search = '') => (await list(search)).body.map((coupon: any) => coupon.code);

const setBalances = query<{ id: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set({ unpaid: 1999, awaiting: 50, pending_payout: -10, paid: 100_000 })
    .where('id', '=', p.id),
);

const ids: Record<string, number> = {};
for (const [code, login] of [
  ['MAYA10', 'maya'],
  ['Maya_20', 'maya'],
  ['TOMAS', 'tomas'],
  ['ÜBER%', 'tomas'],
  ['NOBODY', undefined],
] as const) {
  const user = login ? { user_id: idOf(login) } : {};
  ids[code] = (await invoke<{ id: number }>(app.site, createCoupon, { code, ...user })).id;
}
await invoke(app.site, changeCoupon, { id: ids['TOMAS'], status: 'disabled' });

describe('GET /coupons', () => {
  describe('200', () => {
    test('coupons with an affiliate are listed, newest first', async () => {
      const { status, headers } = await list();
      assert.equal(status, 200);
      assert.equal(headers.get('x-svc-total'), '4');
      assert.deepEqual(await codes(), ['ÜBER%', 'TOMAS', 'Maya_20', 'MAYA10']);
    });

    test('assigned=false lists coupons without an affiliate; assigned=true is the default', async () => {
      const { headers } = await list('?assigned=false');
      assert.equal(headers.get('x-svc-total'), '1');
      assert.deepEqual(await codes('?assigned=false'), ['NOBODY']);
      assert.deepEqual(await codes('?assigned=true'), await codes());
      assert.deepEqual(await codes('?assigned=false&search=body'), ['NOBODY']);
      assert.deepEqual(await codes('?assigned=false&search=maya'), []);
      assert.deepEqual(await codes('?assigned=false&status=disabled'), []);
      assert.deepEqual(await codes(`?assigned=false&user_id=${idOf('maya')}`), []);
      assert.equal(refusal(await list('?assigned=maybe')), '400 rest_invalid_param');
    });

    test('assigned=false reflects immediately that a coupon was assigned or unassigned', async () => {
      const id = ids['TOMAS'];
      await invoke(app.site, changeCoupon, { id, user_id: null });
      assert.deepEqual(await codes('?assigned=false'), ['NOBODY', 'TOMAS']);
      assert.equal((await list()).headers.get('x-svc-total'), '3');
      await invoke(app.site, changeCoupon, { id, user_id: idOf('tomas') });
      assert.deepEqual(await codes('?assigned=false'), ['NOBODY']);
      assert.equal((await list()).headers.get('x-svc-total'), '4');
    });

    test('amounts are in the currency of the store', async () => {
      await app.site.database.transaction((tx) => tx.run(setBalances, { id: ids['MAYA10']! }));
      const [coupon] = (await list('?search=maya10')).body;
      const { date_created, ...rest } = coupon;
      assert.ok(date_created);
      assert.deepEqual(rest, {
        id: ids['MAYA10'],
        code: 'MAYA10',
        user_id: idOf('maya'),
        status: 'active',
        unpaid_commission: 19.99,
        pending_order_commission: 0.5,
        pending_payout_commission: -0.1,
        paid_commission: 1000,
      });
    });

    for (const [search, expected] of [
      [`?user_id=${idOf('maya')}`, ['Maya_20', 'MAYA10']],
      ['?user_id=999', []],
      ['?status=disabled', ['TOMAS']],
      ['?status=active&search=ma', ['Maya_20', 'MAYA10']],
      ['?search=mA', ['TOMAS', 'Maya_20', 'MAYA10']],
      ['?search=%25', ['ÜBER%']],
      ['?search=_', ['Maya_20']],
      ['?search=%5C', []],
      [`?search=${encodeURIComponent('über')}`, ['ÜBER%']],
      ['?search=', ['ÜBER%', 'TOMAS', 'Maya_20', 'MAYA10']],
      ['?search=nobody', []],
    ] as const) {
      test(`${search}, with the right total`, async () => {
        assert.deepEqual(await codes(search), expected);
        const { headers } = await list(`${search}&per_page=1`);
        assert.equal(headers.get('x-svc-total'), String(expected.length));
      });
    }

    test('the list is paginated', async () => {
      assert.deepEqual(await codes('?per_page=3&page=2'), ['MAYA10']);
      assert.deepEqual(await codes('?per_page=3&page=3'), []);
    });

    test('the number of statements does not depend on the length of the page', async () => {
      const { database } = app.site;
      const short = await statementsOf(database, () => list('?per_page=1'));
      assert.equal(await statementsOf(database, () => list('?per_page=100')), short);
    });
  });

  describe('400', () => {
    for (const search of ['?user_id=x', '?status=gone', `?search=${'x'.repeat(101)}`]) {
      test(search.slice(0, 20), async () => {
        assert.equal(refusal(await list(search)), '400 rest_invalid_param');
      });
    }
  });

  describe('403', () => {
    test('an affiliate is refused, even with its own id', async () => {
      const key = await app.key('maya', 'read');
      const reply = await app.call(`/coupons?user_id=${idOf('maya')}`, { key });
      assert.equal(refusal(reply), '403 svc_api_forbidden');
    });
  });
});
