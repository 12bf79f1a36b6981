import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowsByNumber } from '../src/db/statements/keyed-query.ts';
import { invoke } from '../src/kernel/call/invoke.ts';
import { changeCoupon } from '../src/modules/coupons/change-coupon.ts';
import { createCoupon } from '../src/modules/coupons/create-coupon.ts';
import { testOnServer } from './postgres/file-or-server.ts';
import { idOf, openTestApp } from './support/harness.ts';
import { statementsOf } from './support/statements.ts';

interface Row {
  id: number;
  user_id: number | null;
  code: string;
}

const couponById = rowsByNumber<Row>('id', (db, isKey) =>
  db.selectFrom('coupons').select(['id', 'user_id', 'code']).where(isKey('id')),
);
const couponsOfUser = rowsByNumber<Row>('user_id', (db, isKey) =>
  db.selectFrom('coupons').select(['id', 'user_id', 'code']).where(isKey('user_id')).orderBy('id'),
);
const broken = rowsByNumber<Row>('id', (db, isKey) =>
  db
    .selectFrom('no_such_table' as 'coupons')
    .selectAll()
    .where(isKey('id')),
);

const COUPONS = 250;

const app = await openTestApp();
const admin = await app.key('admin', 'read');
const { database } = app.site;
const ids: number[] = [];
for (let i = 0; i < COUPONS; i++) {
  const coupon = { code: `shared-${i}`, user_id: idOf(i % 2 === 0 ? 'maya' : 'tomas') };
  ids.push((await invoke<{ id: number }>(app.site, createCoupon, coupon)).id);
}

describe('concurrent reads of one key each', () => {
  test('get their own row, undefined for a missing one, and the same row for the same key', async () => {
    const asked = [...ids, 999_999, ids[0]!];
    const found = await Promise.all(asked.map((id) => database.read.firstByKey(couponById, id)));
    assert.deepEqual(
      found.map((row) => row?.code),
      [...ids.map((_, i) => `shared-${i}`), undefined, 'shared-0'],
    );
  });

  test('get several rows of a key in their order', async () => {
    const [maya, tomas, carla] = await Promise.all(
      ['maya', 'tomas', 'carla'].map((login) => database.read.allByKey(couponsOfUser, idOf(login))),
    );
    const even = ids.filter((_, i) => i % 2 === 0);
    assert.deepEqual(
      maya?.map(({ id }) => id),
      even,
    );
    assert.equal(tomas?.length, COUPONS - even.length);
    assert.deepEqual(carla, []);
  });

  test('see what was committed before they started', async () => {
    const id = ids[7]!;
    for (const status of ['disabled', 'active', 'disabled', 'active']) {
      await invoke(app.site, changeCoupon, { id, status });
      const asked = [id, ...ids.slice(0, 20)].map((one) =>
        app.call(`/coupons/${one}`, { key: admin }),
      );
      assert.equal((await asked[0]!).body.status, status);
      await Promise.all(asked);
    }
  });

  test('all fail with the statement, and the next read succeeds', async () => {
    const asked = [1, 2, 3].map((id) => database.read.firstByKey(broken, id));
    for (const { status } of await Promise.allSettled(asked)) assert.equal(status, 'rejected');
    assert.equal((await database.read.firstByKey(couponById, ids[0]!))?.code, 'shared-0');
  });

  test('see the writes of their transaction', async () => {
    await database.transaction(async (tx) => {
      const codes = await Promise.all(ids.slice(0, 5).map((id) => tx.firstByKey(couponById, id)));
      assert.deepEqual(
        codes.map((row) => row?.code),
        ids.slice(0, 5).map((_, i) => `shared-${i}`),
      );
      assert.equal((await tx.allByKey(couponsOfUser, idOf('tomas'))).length, COUPONS / 2);
    });
  });

  testOnServer('share a statement, a hundred keys at most', async () => {
    const all = (many: readonly number[]) =>
      statementsOf(database, () =>
        Promise.all(many.map((id) => database.read.firstByKey(couponById, id))),
      );
    assert.equal(await all(ids.slice(0, 1)), 1);
    assert.equal(await all(ids.slice(0, 100)), 1);
    assert.equal(await all(ids), 3);
  });
});
