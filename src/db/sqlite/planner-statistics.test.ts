import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { indexesOf } from '../../../test/schema/planner-statistics.ts';
import { openTestApp } from '../../../test/support/harness.ts';
import { query } from '../statements/query.ts';
import { openSqlite } from './open-sqlite.ts';
import shipped from './planner-statistics.json' with { type: 'json' };

const app = await openTestApp();
const { file } = app.site.database.place;
const db = new DatabaseSync(file, { timeout: 60_000 });
after(() => db.close());

const raw = (sql: string) =>
  query<object, { detail: string }>(() => ({ compile: () => CompiledQuery.raw(sql) }));
const FIND = `select * from coupons where code_folded = 'a' and user_id = 1`;
const anyRow = raw('select id from coupons limit 1');

test('the statistics name each table and index of the schema; "npm run generate" writes them', () => {
  const indexes = Map.groupBy(indexesOf(db), ({ tbl }) => tbl);
  const named = indexes.entries().map(([table, list]) => [table, list.map(({ idx }) => idx)]);
  const written = Object.entries(shipped).map(([table, list]) => [table, Object.keys(list)]);
  assert.deepEqual(written, [...named]);
});

test('a new installation plans by them, and so does an older one from its next start on', async () => {
  const countRows = db.prepare('select count(*) as rows from sqlite_stat1');
  const rows = Object.values(shipped).flatMap((list) => Object.keys(list)).length;
  assert.equal(countRows.get()!['rows'], rows);

  // As 0.7.0 left it, which counted an empty store.
  db.exec('delete from sqlite_stat1; analyze');
  assert.notEqual(countRows.get()!['rows'], rows);
  const database = openSqlite(file);
  after(() => database.close());
  const change = db.prepare('pragma data_version');
  await database.usePlannerStatistics();
  assert.equal(countRows.get()!['rows'], rows);
  const changed = change.get();
  await database.usePlannerStatistics();
  assert.deepEqual(change.get(), changed, 'the same ones are not written again');
});

test('connections that are open plan by them at once', async () => {
  const { read } = app.site.database;
  const plan = async () => {
    // A statement that is only explained does not notice that the schema has changed, and keeps its plan.
    await read.all(anyRow, {});
    return (await read.all(raw(`explain query plan ${FIND}`), {}))[0]!.detail;
  };
  const shippedPlan = await plan();
  for (const [selective, other] of [
    ['coupons_by_code', 'coupons_by_user'],
    ['coupons_by_user', 'coupons_by_code'],
  ]) {
    db.exec(`begin; drop table sqlite_stat1; analyze sqlite_schema;
      insert into sqlite_stat1 values ('coupons', '${selective}', '20000 1 1'),
        ('coupons', '${other}', '20000 20000 20000'); commit`);
    assert.match(await plan(), new RegExp(`USING INDEX ${selective} `));
    await app.site.database.usePlannerStatistics();
    assert.equal(await plan(), shippedPlan);
  }
});
