import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { stepsOf } from '../../../test/growth/steps.ts';
import { fastParent } from '../../../test/support/temp-folder.ts';
import { query } from '../statements/query.ts';
import { openSqlite } from './open-sqlite.ts';

const folder = mkdtempSync(join(fastParent, 'tributary-statistics-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const raw = <R>(sql: string) => query<object, R>(() => ({ compile: () => CompiledQuery.raw(sql) }));

/** A table whose rows nearly all have the same kind, so that only statistics tell which index to use. */
const makeTable = `create table t (id integer primary key, kind text, name text);
  create index t_by_name on t (name); create index t_by_kind on t (kind, id);`;
const add = (from: number, to: number) => `insert into t
  with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
  select i, 'usual', 'name ' || (i / 2) from n`;
const FIND = `select id from t where kind = 'usual' and name = 'name 7'`;
const find = raw<{ id: number }>(FIND);

test('connections that are open plan by new statistics, which follow the growth of a table', async () => {
  const file = join(folder, 'statistics.db');
  const database = openSqlite(file);
  // Another process has connections of its own.
  const other = openSqlite(file);
  after(async () => {
    await database.close();
    await other.close();
  });
  const counted = raw<{ stat: string }>(`select stat from sqlite_stat1 where idx = 't_by_name'`);
  /** The work of the same prepared statement, for each of the processes. */
  const work = async () => {
    const steps: number[] = [];
    for (const { read } of [database, other]) {
      const counts = await stepsOf(() => read.all(find, {}));
      steps.push(counts.get(FIND)!);
    }
    return steps;
  };
  const rowsCounted = async () => Number((await other.read.first(counted, {}))!.stat.split(' ')[0]);
  await database.transaction((tx) => tx.execute(`${makeTable} ${add(1, 1_000)}`));
  for (const steps of await work())
    assert.ok(steps > 1_000, `${steps}: an equality is like another`);
  await database.updateStatistics();
  for (const steps of await work()) assert.ok(steps < 100, `${steps} steps`);
  assert.equal(await rowsCounted(), 1_000);

  await database.transaction((tx) => tx.execute(add(1_001, 2_000)));
  await database.updateStatistics();
  assert.equal(await rowsCounted(), 1_000, 'a table that has not grown much is left alone');
  await database.transaction((tx) => tx.execute(add(2_001, 50_000)));
  await database.updateStatistics();
  assert.ok((await rowsCounted()) > 20_000);
});
