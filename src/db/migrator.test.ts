import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { makeDatabase, testServer } from '../../test/postgres/databases.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { freeEdition } from '../edition-free.ts';
import { loadEdition } from '../edition-pro.ts';
import type { Database } from './database.ts';
import { migrate, type Migration } from './migrator.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { query } from './statements/query.ts';

const proEdition = await loadEdition('pro');

const applied = query<object, { name: string }>((db) =>
  db.selectFrom('migrations').select('name').orderBy('name'),
);
const appliedIn = async (db: Database) => (await db.read.all(applied, {})).map((row) => row.name);
const exists = (db: Database, table: string) =>
  db
    .transaction((tx) => tx.execute(`select * from ${table}`))
    .then(
      () => true,
      () => false,
    );

/** An empty database. */
async function open(): Promise<Database> {
  return (await openTimes(1))[0]!;
}

async function openTimes(times: number): Promise<Database[]> {
  let end = async () => {};
  // Registered before the first await: afterwards the runner no longer knows which test this belongs to.
  after(() => end());
  const server = testServer();
  const made = server === undefined ? undefined : await makeDatabase(server, { empty: true });
  const file = join(tempFolder(), 'test.db');
  const opened = await Promise.all(
    Array.from({ length: times }, async () => (made ? openPostgres(made.url) : openSqlite(file))),
  );
  end = async () => {
    for (const database of opened) await database.close();
    await made?.drop();
  };
  return opened;
}

/** A migration that creates tables. */
function tables(name: string, ...made: string[]): Migration {
  return {
    name,
    up: (schema, { bigInteger }) =>
      made.map((table) => schema.createTable(table).addColumn('n', bigInteger)),
  };
}

describe('migrate', () => {
  test('applies each once, in the order given, and returns their names', async () => {
    const db = await open();
    const migrations = [tables('one', 'a'), tables('two', 'b', 'c')];
    assert.deepEqual(await migrate(db, migrations), ['one', 'two']);
    assert.deepEqual(await migrate(db, migrations), []);
    assert.deepEqual(await appliedIn(db), ['one', 'two']);
    for (const table of ['a', 'b', 'c']) assert.ok(await exists(db, table));
  });

  test('applies only new migrations', async () => {
    const db = await open();
    await migrate(db, [tables('one', 'a')]);
    assert.deepEqual(await migrate(db, [tables('one', 'a'), tables('two', 'b')]), ['two']);
  });

  test('interrupted in the middle of a step, it leaves nothing of that step', async () => {
    const db = await open();
    const broken = tables('two', 'b', 'a', 'c');
    await assert.rejects(migrate(db, [tables('one', 'a'), broken, tables('three', 'd')]), /exists/);
    assert.deepEqual(await appliedIn(db), ['one'], 'the step before stays applied');
    for (const table of ['b', 'c', 'd']) assert.ok(!(await exists(db, table)), table);
  });

  test('continues there with the next start', async () => {
    const db = await open();
    let power = false;
    const interrupted: Migration = {
      name: 'two',
      up(schema, dialect) {
        const steps = tables('', 'b', 'c').up(schema, dialect);
        if (power) return steps;
        const failing = { compile: () => assert.fail('power cut') };
        return [steps[0]!, failing, steps[1]!];
      },
    };
    const migrations = [tables('one', 'a'), interrupted, tables('three', 'd')];
    await assert.rejects(migrate(db, migrations), /power cut/);
    power = true;
    assert.deepEqual(await migrate(db, migrations), ['two', 'three']);
    assert.deepEqual(await appliedIn(db), ['one', 'three', 'two']);
  });

  test('one that was added in the middle is applied after those that are there', async () => {
    const db = await open();
    await migrate(db, [tables('one', 'a'), tables('three', 'c')]);
    const all = [tables('one', 'a'), tables('two', 'b'), tables('three', 'c')];
    assert.deepEqual(await migrate(db, all), ['two']);
  });

  test('the order they were applied in elsewhere does not matter', async () => {
    const db = await open();
    const [one, two, three] = [tables('one', 'a'), tables('two', 'b'), tables('three', 'c')];
    await migrate(db, [three, one]);
    assert.deepEqual(await migrate(db, [one, two, three]), ['two']);
  });

  test('a migration changes existing rows in its transaction', async () => {
    const db = await open();
    const one = tables('one', 'a');
    await migrate(db, [one]);
    const filled: Migration = {
      ...tables('two', 'b'),
      fill: (tx) => tx.execute('insert into a values (1)'),
    };
    await migrate(db, [one, filled]);
    const failing: Migration = {
      ...tables('three', 'c'),
      fill: (tx) => tx.execute('drop table a; no'),
    };
    await assert.rejects(migrate(db, [one, filled, failing]));
    assert.deepEqual(await appliedIn(db), ['one', 'two']);
    assert.ok((await exists(db, 'a')) && !(await exists(db, 'c')));
  });

  test('a database of a version before 0.7.0 is refused and stays as it is', async () => {
    const db = await open();
    await migrate(db, [tables('0001-leases', 'leases')]);
    await assert.rejects(migrate(db, [tables('leases/0001-baseline', 'a')]), /before 0\.7\.0/);
    assert.deepEqual(await appliedIn(db), ['0001-leases']);
  });

  test('migrations of a removed module stay applied', async () => {
    const db = await open();
    await migrate(db, [tables('one', 'a'), tables('gone', 'b')]);
    assert.deepEqual(await migrate(db, [tables('one', 'a')]), []);
    assert.deepEqual(await appliedIn(db), ['gone', 'one']);
    assert.ok(await exists(db, 'b'));
  });

  test('two processes that start at the same moment apply each once', async () => {
    const [one, two] = await openTimes(2);
    const migrations = Array.from({ length: 10 }, (_, i) => tables(`m${i}`, `t${i}`));
    const names = await Promise.all([migrate(one!, migrations), migrate(two!, migrations)]);
    assert.deepEqual(names.flat().sort(), migrations.map((migration) => migration.name).sort());
  });

  test('a step that binds values is refused: they would be lost', async () => {
    const db = await open();
    const bound: Migration = {
      name: 'bound',
      up: (schema) => [
        schema
          .createTable('a')
          .addColumn('n', 'integer')
          .addCheckConstraint('positive', sql`n > ${0}`),
      ],
    };
    await assert.rejects(migrate(db, [bound]), /Migration bound binds values/);
    assert.ok(!(await exists(db, 'a')));
  });

  for (const [edition, modules] of Object.entries({ freeEdition, proEdition })) {
    test(`those of the ${edition} apply to an empty database, and their names are unique`, async () => {
      const migrations = modules.flatMap((module) => module.migrations ?? []);
      const names = await migrate(await open(), migrations);
      assert.equal(names.length, migrations.length);
      assert.equal(new Set(names).size, names.length);
    });
  }

  test('from the free edition to the other and back nothing is lost', async () => {
    const db = await open();
    const of = (modules: typeof freeEdition) =>
      modules.flatMap((module) => module.migrations ?? []);
    await migrate(db, of(freeEdition));
    await migrate(db, of(proEdition));
    const before = await appliedIn(db);
    assert.deepEqual(await migrate(db, of(freeEdition)), []);
    assert.deepEqual(await appliedIn(db), before);
  });
});
