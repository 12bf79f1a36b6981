import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';

const app = await openTestApp({ config: { timezone: 'Europe/Berlin' } });
const admin = await app.key('admin', 'read,write');
const store = (path: string) => `/svc/store/v1${path}`;
const post = (json: unknown) => app.call(store('/clicks'), { method: 'POST', key: admin, json });

let lastCode = 0;
async function newCoupon(fields: object = {}): Promise<{ id: number; code: string }> {
  const json = { code: `Click${++lastCode}`, user_id: idOf('maya'), ...fields };
  const reply = await app.call(store('/coupons'), { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function clicksOf(couponId: number, filter = ''): Promise<number> {
  const reply = await app.call(`/clicks/stats?coupon_id=${couponId}${filter}`, { key: admin });
  return reply.body.clicks;
}

const rowsOf = query<{ coupon_id: number }, { visitor_hash: string | null; day: string }>((db, p) =>
  db
    .selectFrom('clicks')
    .select(['visitor_hash', 'day'])
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('id'),
);
const rows = (couponId: number) => app.site.database.read.all(rowsOf, { coupon_id: couponId });

describe('POST /clicks', () => {
  describe('201', () => {
    test('a click names its coupon by case-insensitive code or by id', async () => {
      const coupon = await newCoupon();
      const reply = await post({ code: ` ${coupon.code.toUpperCase()}` });
      assert.equal(reply.status, 201);
      const [id] = reply.body.ids;
      assert.ok(Number.isSafeInteger(id));
      assert.deepEqual(reply.body, { accepted: 1, ids: [id], refused: [] });
      const { body } = await post({ coupon_id: coupon.id, code: 'whatever' });
      assert.ok(body.ids[0] > id);
      assert.equal(await clicksOf(coupon.id), 2);
    });

    test('a click can be sent as a form', async () => {
      const coupon = await newCoupon();
      const form = `coupon_id=${coupon.id}&campaign=mail`;
      const reply = await app.call(store('/clicks'), { method: 'POST', key: admin, form });
      assert.equal(reply.body.accepted, 1);
      assert.equal(await clicksOf(coupon.id, '&campaign=mail'), 1);
    });

    test('a visitor is stored only as a keyed hash, which is the same for the same visitor', async () => {
      const coupon = await newCoupon();
      const one = { code: coupon.code, visitor: 'v-4711' };
      await post([one, one, { ...one, visitor: 'another' }, { code: coupon.code }]);
      const [first, second, third, fourth] = await rows(coupon.id);
      assert.equal(first!.visitor_hash, app.site.keyring.hash('visitor', 'v-4711'));
      assert.equal(second!.visitor_hash, first!.visitor_hash);
      assert.notEqual(third!.visitor_hash, first!.visitor_hash);
      assert.equal(fourth!.visitor_hash, null);
    });

    test("a click counts on the day of the site's time zone", async () => {
      const coupon = await newCoupon();
      const { code } = coupon;
      await post([
        { code, date: '2026-03-01T23:30:00Z' },
        { code, date: '2026-03-01T23:30:00' },
        { code },
      ]);
      const days = (await rows(coupon.id)).map(({ day }) => day);
      assert.deepEqual(days, [
        '2026-03-02',
        '2026-03-01',
        app.site.calendar.dayOf(app.site.clock()),
      ]);
    });

    test('only the invalid clicks of a list are refused, with the reason', async () => {
      const coupon = await newCoupon();
      const disabled = await newCoupon();
      const json = { status: 'disabled' };
      await app.call(store(`/coupons/${disabled.id}`), { method: 'PATCH', key: admin, json });
      const { code } = coupon;
      const { status, body } = await post([
        { code },
        { code: 'nobody' },
        { coupon_id: 987_654_321 },
        { code: disabled.code },
        {},
        { code, date: '2026-02-30' },
        { code, campaign: 7 },
        'x',
        null,
        [{ code }],
        { code, campaign: 'a\u0000b' },
        { coupon_id: coupon.id },
      ]);
      assert.equal(status, 201);
      assert.equal(body.accepted, 2);
      assert.deepEqual(
        body.refused.map((r: any) => [r.index, r.code, ...namesIn(r.params)]),
        [
          [1, 'svc_api_invalid_coupon', 'code'],
          [2, 'svc_api_invalid_coupon', 'coupon_id'],
          [3, 'svc_api_invalid_coupon', 'code'],
          [4, 'rest_missing_callback_param', 'code'],
          [5, 'rest_invalid_param', 'date'],
          [6, 'rest_invalid_param', 'campaign'],
          [7, 'rest_invalid_param', 'body'],
          [8, 'rest_invalid_param', 'body'],
          [9, 'rest_invalid_param', 'body'],
          [10, 'rest_invalid_param', 'campaign'],
        ],
      );
      for (const { message } of body.refused) assert.ok(message);
      const [first, last] = [body.ids.at(0), body.ids.at(-1)];
      assert.ok(last > first);
      const refused = Array.from({ length: 10 }, () => null);
      assert.deepEqual(body.ids, [first, ...refused, last], 'null for a refused one');
      assert.equal(await clicksOf(coupon.id), 2);
    });

    test('a list may have a thousand clicks', async () => {
      const coupon = await newCoupon();
      const { body } = await post(Array.from({ length: 1000 }, () => ({ code: coupon.code })));
      assert.deepEqual([body.accepted, body.refused], [1000, []]);
      assert.equal(new Set(body.ids).size, 1000);
      assert.equal(await clicksOf(coupon.id), 1000);
    });

    test('of 50 concurrent requests, no click is lost and none counts twice', async () => {
      const coupon = await newCoupon();
      const { code } = coupon;
      const requests = Array.from({ length: 50 }, (_, i) =>
        post(i % 2 ? { code, campaign: 'odd' } : [{ code }, { code: 'nobody' }, { code }]),
      );
      for (const { status } of await Promise.all(requests)) assert.equal(status, 201);
      assert.equal(await clicksOf(coupon.id), 75);
      assert.equal(await clicksOf(coupon.id, '&campaign=odd'), 25);
      assert.equal((await rows(coupon.id)).length, 75);
    });

    test('of several coupons with the code, the oldest one with an affiliate gets the click', async () => {
      const code = 'SHARED';
      const nobodys = await newCoupon({ code, user_id: undefined });
      const [first, second] = [await newCoupon({ code }), await newCoupon({ code })];
      await post({ code });
      const counts = await Promise.all([nobodys, first, second].map(({ id }) => clicksOf(id)));
      assert.deepEqual(counts, [0, 1, 0]);
    });
  });

  describe('400', () => {
    test('a single invalid click is refused, and nothing is recorded', async () => {
      const coupon = await newCoupon();
      const { code } = coupon;
      assert.equal(refusal(await post({ code: 'nobody' })), '400 svc_api_invalid_coupon');
      assert.equal(refusal(await post({})), '400 rest_missing_callback_param');
      const invalid = await post({ code, date: 'yesterday' });
      assert.equal(refusal(invalid), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(invalid.body.data.params), ['date']);
      assert.equal(await clicksOf(coupon.id), 0);
    });

    test('an empty list, a list that is too long and any other kind of body are refused', async () => {
      const coupon = await newCoupon();
      const many = Array.from({ length: 1001 }, () => ({ code: coupon.code }));
      for (const json of [[], many, '"x"', '7']) {
        assert.equal(refusal(await post(json)), '400 rest_invalid_param');
      }
      assert.equal(await clicksOf(coupon.id), 0);
    });

    test('other operations accept no array as body', async () => {
      const reply = await app.call(store('/coupons'), { method: 'POST', key: admin, json: [{}] });
      assert.equal(refusal(reply), '400 rest_invalid_param');
    });
  });

  test('the OpenAPI document shows both forms', async () => {
    const { body } = await app.call(store('/openapi'));
    const { RecordClicks, NewClick } = body.components.schemas;
    const [one, list, object] = RecordClicks.oneOf;
    assert.deepEqual(one, { $ref: '#/components/schemas/NewClick' });
    assert.deepEqual([list.type, list.items, list.maxItems], ['array', one, 1000]);
    assert.deepEqual(object.properties.clicks, list);
    const names =
      'code coupon_id campaign visitor creative sub1 sub2 sub3 sub4 sub5 date referrer landing';
    assert.equal(Object.keys(NewClick.properties).join(' '), names);
  });
});

function namesIn(params: object | string[]): string[] {
  return Array.isArray(params) ? params : Object.keys(params);
}
