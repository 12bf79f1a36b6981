import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const create = (json: unknown) =>
  app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });

describe('POST /svc/store/v1/coupons', () => {
  describe('201', () => {
    test('the response is the complete record', async () => {
      const { status, body } = await create({
        code: 'MAYA15',
        user_id: idOf('maya'),
        percent_override: 15,
        fixed_per_order: 0.5,
      });
      assert.equal(status, 201);
      const { id, date_created, ...rest } = body;
      assert.ok(id > 0);
      assert.match(date_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.deepEqual(rest, {
        code: 'MAYA15',
        user_id: idOf('maya'),
        status: 'active',
        unpaid_commission: 0,
        pending_order_commission: 0,
        pending_payout_commission: 0,
        paid_commission: 0,
        user: { id: idOf('maya'), display_name: 'maya', login: 'maya', email: 'maya@test.example' },
        commission: {
          percent: 15,
          percent_override: 15,
          fixed_per_order: 0.5,
          fixed_per_product: null,
        },
        discount: null,
        referral_url: `${app.site.publicUrl}/r/MAYA15`,
        stats: {
          orders_count: 0,
          total_sales: 0,
          total_discount: 0,
          total_shipping: 0,
          total_commission: 0,
          upline_commission: 0,
          last_refreshed: null,
        },
      });
    });

    test("a coupon without its own rates has the store's percentage", async () => {
      const { body } = await create({ code: 'PLAIN' });
      assert.equal(body.user_id, null);
      assert.equal(body.user, null);
      assert.deepEqual(body.commission, {
        percent: 10,
        percent_override: null,
        fixed_per_order: null,
        fixed_per_product: null,
      });
    });

    test('several coupons may have the same code, ignoring case', async () => {
      for (const code of ['TWICE', 'TWICE', 'twice']) {
        const { status, body } = await create({ code });
        assert.equal(status, 201);
        assert.equal(body.code, code);
      }
    });

    test('a code of any characters is percent-encoded in the referral link', async () => {
      const { body } = await create({ code: 'Ä&b=50%' });
      assert.equal(body.referral_url, `${app.site.publicUrl}/r/%C3%84%26b%3D50%25`);
    });

    test('the referral link leads directly to the store if attribution.link says so', async () => {
      for (const [store, link] of [
        ['https://store.example', 'https://store.example?via=Y%26Z'],
        ['https://store.example/?lang=de', 'https://store.example/?lang=de&via=Y%26Z'],
        ['https://store.example/#/shop?a', 'https://store.example/?via=Y%26Z#/shop?a'],
      ]) {
        await app.set({
          'site.store_url': store,
          'attribution.parameter': 'via',
          'attribution.link': 'store',
        });
        assert.equal((await create({ code: 'Y&Z' })).body.referral_url, link);
      }
      await app.set({
        'site.store_url': 'https://store.example',
        'attribution.parameter': 'ref',
        'attribution.link': 'redirect',
      });
    });

    test('a code that browsers remove from a path has a link directly to the store', async () => {
      for (const code of ['.', '..']) {
        const { body } = await create({ code });
        assert.equal(body.referral_url, `https://store.example?ref=${code}`);
      }
    });

    test('coupon.created contains ids', async () => {
      const { body } = await create({ code: 'TOLD', user_id: idOf('tomas') });
      const [event] = (await app.call('/events?per_page=1', { key: admin })).body;
      assert.equal(event.event, 'coupon.created');
      assert.equal(event.object_id, body.id);
      assert.equal(event.user_id, idOf('admin'));
      assert.deepEqual(event.data, { coupon_id: body.id, user_id: idOf('tomas') });
    });
  });

  describe('400', () => {
    test('the code is required', async () => {
      assert.equal(refusal(await create({})), '400 rest_missing_callback_param');
    });

    for (const [why, json] of [
      ['an empty code', { code: '' }],
      ['a code of 51 characters', { code: 'x'.repeat(51) }],
      ['a code with a space', { code: 'A B' }],
      ['a code with a control character', { code: 'A\u0001' }],
      ['a code with a lone surrogate', { code: 'A\ud800' }],
      ['a percentage over 100', { code: 'A', percent_override: 101 }],
      ['a percentage that is not a number', { code: 'A', percent_override: 'ten' }],
      ['a fraction of a cent', { code: 'A', fixed_per_order: 0.005 }],
    ] as const) {
      test(why, async () => {
        assert.equal(refusal(await create(json)), '400 rest_invalid_param');
      });
    }

    test('an unknown user is svc_api_invalid_user, and no coupon is created', async () => {
      const head = await feedHead(app.site);
      const reply = await create({ code: 'LOST', user_id: 99 });
      assert.equal(refusal(reply), '400 svc_api_invalid_user');
      assert.deepEqual(Object.keys(reply.body.data.params), ['user_id']);
      assert.equal(await feedHead(app.site), head);
    });
  });
});
