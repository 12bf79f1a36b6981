import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../src/db/statements/query.ts';
import { testServer } from './postgres/databases.ts';
import { idOf, openTestApp } from './support/harness.ts';

const app = await openTestApp();
const { database } = app.site;
const key = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const tables = ['ledger', 'events'] as const;

/** Every statement that could overwrite an existing row, for the database of this run. */
function overwriting(table: string): string[] {
  const first = `select * from ${table} where id = (select min(id) from ${table})`;
  const everywhere = [
    `update ${table} set created_at = 0`,
    `delete from ${table}`,
    `insert into ${table} ${first} on conflict (id) do update set created_at = 0`,
  ];
  if (testServer() !== undefined) return [...everywhere, `truncate ${table} cascade`];
  return [
    ...everywhere,
    `insert or replace into ${table} ${first}`,
    `replace into ${table} ${first}`,
    `update or replace ${table} set id = id + 1`,
  ];
}

const rowsOf = (table: (typeof tables)[number]) =>
  database.read.all(
    query<object, { id: number }>((db) => db.selectFrom(table).selectAll().orderBy('id')),
    {},
  );

async function postTo(coupon: string): Promise<void> {
  const json = { code: coupon, user_id: idOf('maya') };
  const { body } = await app.call(`${STORE}/coupons`, { method: 'POST', key, json });
  const amount = { amount: 1, note: 'x' };
  const path = `${STORE}/coupons/${body.id}/adjustments`;
  assert.equal((await app.call(path, { method: 'POST', key, json: amount })).status, 201);
  // On PostgreSQL, reading the feed moves the events into their table.
  assert.equal((await app.call('/events', { key })).status, 200);
}

describe('append-only tables', () => {
  for (const table of tables) {
    test(`no statement replaces, changes or removes a row of ${table}`, async () => {
      await postTo(`FIRST-${table}`);
      const before = await rowsOf(table);
      assert.ok(before.length > 0);
      for (const statement of overwriting(table)) {
        const overwritten = database.transaction((tx) => tx.execute(statement));
        await assert.rejects(overwritten, /append-only/, statement);
      }
      assert.deepEqual((await rowsOf(table)).slice(0, before.length), before);
      await postTo(`SECOND-${table}`);
      assert.ok((await rowsOf(table)).length > before.length, 'new rows can be inserted');
    });
  }
});
