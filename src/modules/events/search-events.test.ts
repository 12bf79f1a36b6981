import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import Type from 'typebox';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { emit } from './index.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,write,manage');
const find = (search: string) => app.call(`${STORE}/events?${search}`, { key: admin });
const names = async (search: string) =>
  (await find(search)).body.items.map((event: any) => event.event);

const coupon = (
  await app.call(`${STORE}/coupons`, {
    method: 'POST',
    key: admin,
    json: { code: 'MAYA10', user_id: idOf('maya') },
  })
).body.id;
const order = (id: number, status: string) =>
  app.call(`${STORE}/orders/${id}`, {
    method: 'PUT',
    key: admin,
    json: { date: '2026-02-01T10:00:00', status, total: 100, coupon_codes: ['MAYA10'] },
  });
await order(1042, 'completed');
await order(1042, 'cancelled');
await order(coupon, 'completed');
const setStatus = (status: string) =>
  app.call(`${STORE}/affiliates/${idOf('maya')}`, {
    method: 'PATCH',
    key: admin,
    json: { status },
  });
await setStatus('suspended');

describe('GET /events by object', () => {
  test('200: the events of one order, coupon or affiliate, newest first', async () => {
    const { body } = await find('object_type=order&object_id=1042');
    assert.equal(body.next, null);
    assert.deepEqual(
      body.items.map((event: any) => [event.event, event.object_type, event.user.login]),
      [
        ['referral.reversed', 'order', 'admin'],
        ['referral.created', 'order', 'admin'],
      ],
    );
    assert.deepEqual(body.names, [
      { type: 'user', id: idOf('maya'), name: 'maya' },
      { type: 'coupon', id: coupon, name: 'MAYA10' },
    ]);
    // An order with the number of the coupon is another object.
    assert.deepEqual(await names(`object_type=coupon&object_id=${coupon}`), [
      'commission.added',
      'commission.removed',
      'commission.added',
      'coupon.created',
    ]);
    const id = idOf('maya');
    const ofAffiliate = await names(`object_type=affiliate&object_id=${id}`);
    assert.equal(ofAffiliate[0], 'affiliate.suspended');
    assert.deepEqual(await names(`object_type=user&object_id=${id}`), ofAffiliate);
    assert.deepEqual(await names('object_type=payout&object_id=1'), []);
    assert.deepEqual(await names('object_type=nothing'), []);
  });

  test('200: by event, by user, by day, together', async () => {
    const about = `object_type=order&object_id=1042`;
    assert.deepEqual(await names(`${about}&event=referral.created`), ['referral.created']);
    assert.deepEqual(await names(`${about}&event=coupon`), []);
    assert.deepEqual(await names(`event=referral.reversed&user_id=${idOf('admin')}`), [
      'referral.reversed',
    ]);
    assert.deepEqual(await names('event=referral&user_id=0'), []);
    assert.equal((await names(`user_id=${idOf('admin')}&per_page=100`)).length > 5, true);
    const today = app.site.calendar.dayOf(app.site.clock());
    assert.equal((await names(`${about}&from=${today}&to=${today}`)).length, 2);
    app.advance(3 * 86_400_000);
    await setStatus('active');
    const later = app.site.calendar.dayOf(app.site.clock());
    assert.deepEqual(await names(`from=${later}`), ['affiliate.reinstated']);
    assert.equal((await names(`event=referral&to=${today}`)).length, 3);
    assert.deepEqual(await names(`from=2999-01-01`), []);
    assert.deepEqual(await names(`to=2001-01-01`), []);
  });

  test('200: pages by a cursor contain every event once', async () => {
    for (const search of ['event=commission', 'object_type=affiliate', '']) {
      const whole = (await find(`${search}&per_page=100`)).body.items;
      const paged = [];
      for (let before: number | null = 1_000_000; before !== null;) {
        const { body } = await find(`${search}&per_page=2&before=${before}`);
        paged.push(...body.items);
        before = body.next;
      }
      assert.deepEqual(paged, whole, search);
    }
  });

  test('200: a filter that skips many events goes on where it stopped', async () => {
    const made = defineEvent('coupon.made_up', 'For tests.', Type.Object({}), {
      id: 1,
      timestamp: '2026-01-10T09:00:00.000Z',
      data: {},
    });
    const nowMs = app.site.clock();
    const details = (userId: number, info: string) => {
      return { objectId: 77, userId, info, data: {}, nowMs };
    };
    await app.site.database.transaction(async (tx) => {
      emit(tx, made, details(idOf('tomas'), 'First.'));
      for (let i = 0; i < 6_000; i++) emit(tx, made, details(idOf('maya'), 'Between.'));
    });
    const search = `object_type=coupon&object_id=77&user_id=${idOf('tomas')}`;
    const { body } = await find(search);
    assert.deepEqual([body.items, typeof body.next], [[], 'number']);
    const rest = (await find(`${search}&before=${body.next}`)).body;
    assert.deepEqual([rest.items.map((event: any) => event.info), rest.next], [['First.'], null]);
    // The index of the user is the smaller one here.
    assert.equal((await names(`event=coupon.made_up&user_id=${idOf('tomas')}`)).length, 1);
    const csv = await app.call(`${STORE}/exports/events.csv?${search}`, { key: admin });
    assert.deepEqual(
      parse(csv.text, { columns: true }).map((row: any) => [row.object_type, row.info]),
      [['coupon', 'First.']],
    );
  });

  test('400: an object without its type; a switched off log', async () => {
    assert.equal(refusal(await find('object_id=7')), '400 rest_invalid_param');
    await app.set({ 'activity_log.enabled': false });
    assert.equal(refusal(await find('')), '400 svc_api_log_disabled');
    await app.set({ 'activity_log.enabled': true });
  });
});

describe('GET /exports/events.csv', () => {
  test('200: all events of the filter, as the search lists them', async () => {
    const search = 'object_type=coupon&object_id=77&event=coupon';
    const { text } = await app.call(`${STORE}/exports/events.csv?${search}`, { key: admin });
    const rows: any[] = parse(text, { columns: true });
    assert.equal(rows.length, 6_001);
    assert.deepEqual([rows[0].info, rows.at(-1).info], ['Between.', 'First.']);
  });
});
