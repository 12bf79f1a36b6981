import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from '../coupons/index.ts';
import { createGroup } from '../groups/index.ts';
import { changeAffiliate } from './change-affiliate.ts';
import { createAffiliate } from './create-affiliate.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read');
const list = (search = '') => app.call(`/affiliates${search}`, { key: admin });
const logins = async (search = '') =>
  (await list(search)).body.map((affiliate: any) => affiliate.user.login);
const give = async (login: string, code: string) =>
  (await invoke<{ id: number }>(app.site, createCoupon, { code, user_id: idOf(login) })).id;

const setBalances = query<{ id: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set({ unpaid: 10, awaiting: 20, pending_payout: 30, paid: 40 })
    .where('id', '=', p.id),
);

const mayas = [await give('maya', 'MAYA1'), await give('maya', 'MAYA2'), await give('maya', 'M3')];
await app.site.database.transaction(async (tx) => {
  for (const id of mayas) await tx.run(setBalances, { id });
});
await give('carla', 'CARLA');
await invoke(app.site, createGroup, { name: 'Gold' });
await invoke(app.site, createAffiliate, {
  login: 'zoe',
  email: 'Zoe@Shop.example',
  display_name: 'Zoë Müller 100%',
  groups: ['gold'],
});
await invoke(app.site, changeAffiliate, {
  id: idOf('tomas'),
  status: 'suspended',
  display_name: 'Émile',
});

describe('GET /affiliates', () => {
  describe('200', () => {
    test('users with the role and users with a coupon are listed by id', async () => {
      assert.deepEqual(await logins(), ['maya', 'tomas', 'carla', 'zoe']);
      assert.equal((await list()).headers.get('x-svc-total'), '4');
    });

    test('each affiliate has its coupons and their sums, exact to the cent', async () => {
      const [maya] = (await list('?search=maya')).body;
      const { coupons, ...rest } = maya;
      assert.deepEqual(
        coupons.map((coupon: any) => coupon.id),
        mayas,
      );
      assert.equal(coupons[0].unpaid_commission, 0.1);
      assert.deepEqual(rest, {
        id: idOf('maya'),
        user: { id: idOf('maya'), display_name: 'maya', login: 'maya', email: 'maya@test.example' },
        status: 'active',
        unpaid_commission: 0.3,
        pending_order_commission: 0.6,
        pending_payout_commission: 0.9,
        paid_commission: 1.2,
      });
    });

    for (const [search, expected] of [
      ['?search=MAYA', ['maya']],
      ['?search=zoe%40shop', ['zoe']],
      [`?search=${encodeURIComponent('müller')}`, ['zoe']],
      [`?search=${encodeURIComponent('Zoë Müller')}`, ['zoe']],
      [`?search=${encodeURIComponent('ZOË MÜLLER')}`, ['zoe']],
      [`?search=${encodeURIComponent('émile')}`, ['tomas']],
      ['?search=100%25', ['zoe']],
      ['?search=_', []],
      ['?search=admin', []],
      ['?search=', ['maya', 'tomas', 'carla', 'zoe']],
      ['?status=suspended', ['tomas']],
      ['?status=active', ['maya', 'carla', 'zoe']],
      ['?group=GOLD', ['zoe']],
      ['?group=Silver', []],
      ['?group=Gold&status=suspended', []],
      ['?search=a&status=active', ['maya', 'carla', 'zoe']],
    ] as const) {
      test(`${search}, with the right total`, async () => {
        assert.deepEqual(await logins(search), expected);
        const { headers } = await list(`${search}&per_page=1`);
        assert.equal(headers.get('x-svc-total'), String(expected.length));
      });
    }

    test('the list is paginated', async () => {
      assert.deepEqual(await logins('?per_page=3&page=2'), ['zoe']);
      assert.deepEqual(await logins('?per_page=3&page=3'), []);
    });

    test('the number of statements does not depend on the length of the page', async () => {
      const { database } = app.site;
      const short = await statementsOf(database, () => list('?per_page=1'));
      assert.equal(await statementsOf(database, () => list('?per_page=100')), short);
    });
  });

  describe('400', () => {
    for (const search of ['?status=gone', `?search=${'x'.repeat(101)}`, '?per_page=0']) {
      test(search.slice(0, 20), async () => {
        assert.equal(refusal(await list(search)), '400 rest_invalid_param');
      });
    }
  });

  describe('403', () => {
    test('an affiliate is refused', async () => {
      const reply = await app.call('/affiliates', { key: await app.key('maya', 'read') });
      assert.equal(refusal(reply), '403 svc_api_forbidden');
    });
  });
});
