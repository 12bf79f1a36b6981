import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { query } from '../../db/statements/query.ts';
import { convertClicks } from './index.ts';

const app = await openTestApp({ config: { timezone: 'Pacific/Auckland' } });
const admin = await app.key('admin', 'read,write');
const maya = await app.key('maya', 'read');
const store = (path: string) => `/svc/store/v1${path}`;
const stats = (search: string, key = admin) => app.call(`/clicks/stats?${search}`, { key });

async function newCoupon(code: string, login: string): Promise<number> {
  const json = { code, user_id: idOf(login) };
  const reply = await app.call(store('/coupons'), { method: 'POST', key: admin, json });
  return reply.body.id;
}

const record = (json: unknown) => app.call(store('/clicks'), { method: 'POST', key: admin, json });

const [hers, his, unused] = [
  await newCoupon('HERS', 'maya'),
  await newCoupon('HIS', 'tomas'),
  await newCoupon('UNUSED', 'maya'),
];
await record([
  { code: 'HERS', campaign: 'mail', date: '2026-03-01T12:00:00' },
  { code: 'HERS', campaign: 'mail', date: '2026-03-02T00:00:00' },
  { code: 'HERS', date: '2026-03-03T23:59:59' },
  { code: 'HIS', campaign: 'mail', date: '2026-03-02T12:00:00' },
]);

const clickIds = query<{ coupon_id: number }, { id: number }>((db, p) =>
  db.selectFrom('clicks').select('id').where('coupon_id', '=', p.coupon_id).orderBy('id'),
);
const [firstOfHers] = await app.site.database.read.all(clickIds, { coupon_id: hers });
await app.site.database.transaction((tx) =>
  convertClicks(tx, [{ clickId: firstOfHers!.id, orderId: 1 }]),
);

const today = () => app.site.calendar.dayOf(app.site.clock());

describe('GET /clicks/stats', () => {
  describe('200', () => {
    test('the statistics of a coupon have every field; open ends of the range are null', async () => {
      const { status, body } = await stats(`coupon_id=${hers}`, maya);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        coupon_id: hers,
        campaign: null,
        from: null,
        to: null,
        clicks: 3,
        conversions: 1,
        conversion_rate: 33.33,
      });
    });

    test('admins get the statistics of all coupons', async () => {
      const { body } = await stats('');
      assert.deepEqual([body.coupon_id, body.clicks, body.conversion_rate], [null, 4, 25]);
    });

    test('without clicks the rate is 0', async () => {
      const { body } = await stats(`coupon_id=${unused}`);
      assert.deepEqual([body.clicks, body.conversions, body.conversion_rate], [0, 0, 0]);
    });

    const cases: [string, number][] = [
      ['campaign=mail', 3],
      ['campaign=', 1],
      ['campaign=nothing', 0],
      ['from=2026-03-02&to=2026-03-02', 2],
      ['from=2026-03-02', 3],
      ['to=2026-03-02', 3],
      ['campaign=mail&from=2026-03-02&to=2026-03-03', 2],
      [`coupon_id=${his}&campaign=mail`, 1],
      [`coupon_id=${hers}&campaign=mail&to=2026-03-01`, 1],
    ];
    for (const [search, clicks] of cases) {
      test(`${search}: ${clicks}`, async () => {
        assert.equal((await stats(search)).body.clicks, clicks);
      });
    }

    test('the response echoes the effective range', async () => {
      const range = async (search: string) => {
        const { body } = await stats(search);
        return [body.from, body.to];
      };
      assert.deepEqual(await range('from=2026-03-01'), ['2026-03-01', today()]);
      assert.deepEqual(await range('to=2026-03-01'), [null, '2026-03-01']);
      assert.equal((await stats('campaign=mail')).body.campaign, 'mail');
    });

    test('the route runs one statement for the sums and one for the coupon', async () => {
      const { database } = app.site;
      assert.equal(await statementsOf(database, () => stats('from=2026-03-01')), 1);
      assert.equal(await statementsOf(database, () => stats(`coupon_id=${hers}`)), 2);
    });
  });

  describe('400', () => {
    test('an affiliate must name a coupon', async () => {
      assert.equal(refusal(await stats('', maya)), '400 svc_api_coupon_required');
    });

    test('a range that starts after its end and invalid days are refused', async () => {
      for (const search of ['from=2026-03-02&to=2026-03-01', 'from=2026-13-01', 'to=2026-02-30']) {
        const reply = await stats(search);
        assert.equal(refusal(reply), '400 rest_invalid_param', search);
        assert.deepEqual(Object.keys(reply.body.data.params), [search.split('=')[0]]);
      }
    });
  });

  describe('404', () => {
    test("another affiliate's coupon is not found", async () => {
      const [others, none] = [
        await stats(`coupon_id=${his}`, maya),
        await stats('coupon_id=987654321', maya),
      ];
      assert.equal(refusal(others), '404 svc_api_not_found');
      assert.equal(others.text, none.text);
    });
  });
});
