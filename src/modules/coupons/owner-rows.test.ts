import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { STORE } from '../../../test/support/payouts.ts';
import { findCoupon } from './coupon-rows.ts';
import { ownersAt } from './owner-rows.ts';

const SECOND = 1_000;

async function openStore() {
  const app = await openTestApp();
  const admin = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(`${STORE}${path}`, { method, key: admin, json });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.body;
  };
  const create = async (owner?: 'maya' | 'tomas'): Promise<number> =>
    (await send('POST', '/coupons', { code: 'MAYA10', ...(owner && { user_id: idOf(owner) }) })).id;
  const assign = (id: number, owner: 'maya' | 'tomas' | null) =>
    send('PATCH', `/coupons/${id}`, { user_id: owner && idOf(owner) });
  const owners = async (id: number) =>
    (await ownersAt(app.site.database.read, [id])).map((row) => [
      row.user_id === idOf('maya') ? 'maya' : row.user_id === idOf('tomas') ? 'tomas' : row.user_id,
      row.since,
      row.until,
    ]);
  const ownedSince = async (id: number) =>
    (await findCoupon(app.site.database.read, { id }))!.owned_since;
  const thisSecond = () => app.site.clock() - (app.site.clock() % SECOND);
  const advance = (ms: number) => app.advance(ms);
  return { send, create, assign, owners, ownedSince, thisSecond, advance };
}

describe('the owners of a coupon', () => {
  test('cover all time: the first from the beginning, the next from the second of the change', async () => {
    const { create, assign, owners, ownedSince, thisSecond, advance, send } = await openStore();
    const id = await create('maya');
    assert.deepEqual(await owners(id), [['maya', 0, null]]);
    assert.equal(await ownedSince(id), null);
    const first = thisSecond();
    await assign(id, null);
    await send('PATCH', `/coupons/${id}`, { percent_override: 12 });
    advance(SECOND);
    await assign(id, 'tomas');
    const then = first + SECOND;
    assert.deepEqual(await owners(id), [
      ['maya', 0, first],
      [null, first, then],
      ['tomas', then, null],
    ]);
    assert.equal(await ownedSince(id), then);
  });

  test('the first affiliate of a coupon without one is its first owner', async () => {
    const { create, assign, owners, ownedSince } = await openStore();
    const id = await create();
    assert.deepEqual(await owners(id), [[null, 0, null]]);
    await assign(id, 'maya');
    assert.deepEqual(await owners(id), [['maya', 0, null]]);
    assert.equal(await ownedSince(id), null);
  });

  test('a change back within the same second leaves all rows, in order', async () => {
    const { create, assign, owners, thisSecond } = await openStore();
    const id = await create('maya');
    await assign(id, 'tomas');
    await assign(id, 'maya');
    const at = thisSecond();
    assert.deepEqual(await owners(id), [
      ['maya', 0, at],
      ['tomas', at, at],
      ['maya', at, null],
    ]);
  });

  test('go with a coupon that is deleted', async () => {
    const { create, owners, send } = await openStore();
    const id = await create('maya');
    assert.deepEqual(await send('DELETE', `/coupons/${id}`, {}), { deleted: true });
    assert.deepEqual(await owners(id), []);
  });
});
