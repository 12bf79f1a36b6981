import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { findAgreement } from '../name-rows.ts';
import { firstDay } from '../standings.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ settings: { 'site.currency': 'EUR' } });
const admin = await app.key('admin', 'read,write,manage');
const maya = idOf('maya');
const mayaKey = await app.key('maya', 'read,write');
const tomasKey = await app.key('tomas', 'read,write');

async function send(method: string, path: string, json: object, key = admin) {
  const reply = await app.call(`${STORE}${path}`, { method, key, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}
const board = (key = mayaKey) => app.call(`${STORE}/leaderboard`, { key });
/** Later than what is kept of the places. */
const later = () => app.advance(6 * 60_000);

let orders = 0;
async function order(
  code: string,
  total: number,
  date = app.site.calendar.dayOf(app.site.clock()),
) {
  orders += 1;
  const json = { status: 'completed', date, total, subtotal: total, coupon_codes: [code] };
  await send('PUT', `/orders/${orders}`, json);
}

await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
await send('POST', '/coupons', { code: 'TOMAS', user_id: idOf('tomas') });
await order('MAYA10', 300);
await order('TOMAS', 200);
await order('TOMAS', 40);

describe('GET /leaderboard', () => {
  test('does not exist while it is off', async () => {
    assert.equal((await board()).status, 404);
    await app.set({ 'leaderboard.enabled': true, 'leaderboard.period': 'days_30' });
    assert.equal((await app.call(`${STORE}/leaderboard`)).status, 401);
    const carla = await app.key('carla', 'read');
    assert.equal((await board(carla)).status, 404);
  });

  test('has places by sales or orders, without the names of others', async () => {
    const { body } = await board();
    assert.deepEqual(body.places, [
      { place: 1, name: null, figure: 300, own: true },
      { place: 2, name: null, figure: null, own: false },
    ]);
    assert.deepEqual(body.own, { place: 1, figure: 300, named: false });
    await app.set({ 'leaderboard.by': 'orders' });
    const byOrders = (await board()).body.places;
    assert.deepEqual(
      byOrders.map((one: any) => [one.place, one.figure, one.own]),
      [
        [1, null, false],
        [2, 1, true],
      ],
    );
  });

  test('names affiliates that agreed, until they withdraw it', async () => {
    const path = `/affiliates/${idOf('tomas')}/leaderboard`;
    assert.deepEqual(await send('PUT', path, { named: true }, tomasKey), { named: true });
    const names = async () => (await board()).body.places.map(({ name }: any) => name);
    assert.deepEqual(await names(), ['tomas', null]);
    assert.equal((await board()).body.places[0].figure, 2);
    assert.equal((await board(tomasKey)).body.own.named, true);
    const others = await app.call(`${STORE}${path}`, {
      method: 'PUT',
      key: mayaKey,
      json: { named: false },
    });
    assert.equal(others.status, 404);
    await app.set({ 'leaderboard.others': 'left_out' });
    assert.deepEqual(await names(), ['tomas', null], 'a caller sees its own place always');
    const seen = (await board(tomasKey)).body.places;
    assert.deepEqual([seen.length, seen[0].own], [1, true]);
    await send('PUT', path, { named: false }, tomasKey);
    assert.deepEqual(
      (await board()).body.places.map(({ place }: any) => place),
      [2],
    );
    await app.set({ 'leaderboard.others': 'anonymous', 'leaderboard.by': 'sales' });
  });

  test('equal figures share a place, and old orders do not count', async () => {
    await order('TOMAS', 60);
    await order('MAYA10', 900, '2020-01-01');
    later();
    const { places } = (await board()).body;
    assert.deepEqual(
      places.map((one: any) => [one.place, one.figure]),
      [
        [1, 300],
        [1, null],
      ],
    );
    await app.set({ 'leaderboard.places': 1 });
    assert.equal((await board()).body.places.length, 1);
  });

  test('erasing a person erases its agreement', async () => {
    const carla = idOf('carla');
    await send('POST', '/coupons', { code: 'CARLA', user_id: carla });
    await send('PUT', `/affiliates/${carla}/leaderboard`, { named: true });
    const agreed = () => findAgreement(app.site.database.read, { user_id: carla });
    assert.ok(await agreed());
    await send('POST', `/affiliates/${carla}/anonymise`, { login: 'carla' });
    assert.equal(await agreed(), undefined);
  });
});

test('periods begin with their first day', () => {
  const days = ['2026-01-01', '2026-03-31', '2026-12-31', '2024-03-01'];
  const first = (kind: Parameters<typeof firstDay>[0]) => days.map((day) => firstDay(kind, day));
  assert.deepEqual(first('month'), ['2026-01-01', '2026-03-01', '2026-12-01', '2024-03-01']);
  assert.deepEqual(first('quarter'), ['2026-01-01', '2026-01-01', '2026-10-01', '2024-01-01']);
  assert.deepEqual(first('year'), ['2026-01-01', '2026-01-01', '2026-01-01', '2024-01-01']);
  assert.deepEqual(first('days_30'), ['2025-12-03', '2026-03-02', '2026-12-02', '2024-02-01']);
});
