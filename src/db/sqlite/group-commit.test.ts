import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Transaction } from '../database.ts';
import { query } from '../statements/query.ts';
import { DatabaseUnavailable } from '../unavailable.ts';
import { SqliteConnection } from './connection.ts';
import { GroupCommit } from './group-commit.ts';

const insert = query<{ name: string; position: number }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: p.position }),
);
const increase = query<{ name: string }>((db, p) =>
  db
    .updateTable('cursors')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('name', '=', p.name),
);
const find = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);

const insertAll = async (tx: Transaction, names: readonly string[]) => {
  for (const name of names) await tx.run(insert, { name, position: 0 });
  return names;
};

/** Two connections to a new file, one of which writes in groups. */
function open() {
  const file = join(tempFolder(), 'test.db');
  const writer = new SqliteConnection(file, { readOnly: false });
  writer.raw.exec('create table cursors (name text primary key, position integer not null)');
  writer.raw.exec('create table numbered (id integer primary key autoincrement, name text unique)');
  const reader = new SqliteConnection(file, { readOnly: true });
  const exec = mock.method(writer.raw, 'exec');
  const commits = () => exec.mock.calls.filter((call) => call.arguments[0] === 'commit').length;
  const group = new GroupCommit(writer);
  const positionOf = (name: string) => reader.first(find, { name })?.position;
  return { file, writer, reader, group, commits, positionOf };
}

/** Another connection that has the write lock, as another process would. */
function lockOf(file: string): SqliteConnection {
  const other = new SqliteConnection(file, { readOnly: false });
  other.raw.exec('begin immediate');
  return other;
}

const add = (name: string) => (tx: Transaction) => tx.run(insert, { name, position: 0 });

describe('GroupCommit', () => {
  test('transactions that arrive together share a commit', async () => {
    const { group, commits, positionOf } = open();
    await Promise.all(Array.from({ length: 50 }, (_, i) => group.transaction(add(`n${i}`))));
    assert.equal(commits(), 1);
    for (let i = 0; i < 50; i++) assert.equal(positionOf(`n${i}`), 0);
  });

  test('transactions in the background go one by one, after those that wait', async () => {
    const { group } = open();
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    const others: Promise<unknown>[] = [];
    const first = async () => {
      order.push('first');
      others.push(...['a', 'b'].map((name) => group.transaction(note(name))));
    };
    const background = [first, note('second'), note('third')];
    await Promise.all(background.map((work) => group.transaction(work, { background: true })));
    await Promise.all(others);
    assert.deepEqual(order, ['first', 'a', 'b', 'second', 'third']);
  });

  test('a transaction in the background is committed however many others there are', async () => {
    const { group, positionOf } = open();
    const others = [1, 2, 3].map(async (one) => {
      for (let i = 0; positionOf('background') !== 0; i++)
        await group.transaction(add(`${one} ${i}`));
    });
    await group.transaction(add('background'), { background: true });
    await Promise.all(others);
    assert.equal(positionOf('background'), 0);
  });

  test('what is found again is committed without a sync, and nothing else with it', async () => {
    const { writer, group } = open();
    const syncs: Record<string, unknown> = {};
    const note = (name: string) => async () =>
      void (syncs[name] = writer.raw.prepare('pragma synchronous').get()!['synchronous']);
    let joined: Promise<void> | undefined;
    const exec = writer.raw.exec.bind(writer.raw);
    mock.method(writer.raw, 'exec', (statement: string) => {
      exec(statement);
      if (statement === 'begin immediate') joined ??= group.transaction(note('meanwhile'));
    });
    await group.transaction(note('found again'), { background: true, unsynced: true });
    await joined;
    await group.transaction(note('in the background'), { background: true });
    assert.deepEqual(syncs, { 'found again': 1, meanwhile: 2, 'in the background': 2 });
  });

  test('transactions that arrive while it gathers share the commit too', async () => {
    const { group, commits } = open();
    const first = group.transaction(add('first'));
    await setImmediate();
    await Promise.all([first, group.transaction(add('second'))]);
    assert.equal(commits(), 1);
  });

  test('the first does not wait for an endless series of others', async () => {
    const { group, positionOf } = open();
    const all = [group.transaction(add('n0'))];
    let turns = 0;
    for (; positionOf('n0') === undefined; turns++) {
      await setImmediate();
      all.push(group.transaction(add(`n${all.length}`)));
    }
    assert.ok(turns < 12, String(turns));
    await Promise.all(all);
  });

  test('a commit has a bounded number of transactions', async () => {
    const { group, commits } = open();
    await Promise.all(Array.from({ length: 300 }, (_, i) => group.transaction(add(`n${i}`))));
    assert.ok(commits() > 1 && commits() < 30, String(commits()));
  });

  test('transactions that arrive one after the other have a commit each', async () => {
    const { group, commits } = open();
    for (let i = 0; i < 5; i++) await group.transaction(add(`n${i}`));
    assert.equal(commits(), 5);
  });

  test('no transaction resolves before the commit', async () => {
    const { group, positionOf } = open();
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    await Promise.all(
      names.map(async (name) => {
        await group.transaction(add(name));
        assert.equal(positionOf(name), 0, 'another connection sees it');
      }),
    );
  });

  test('each sees what those before it wrote, and they run one at a time', async () => {
    const { group, positionOf } = open();
    await group.transaction(add('counter'));
    let running = 0;
    await Promise.all(
      Array.from({ length: 100 }, () =>
        group.transaction(async (tx) => {
          assert.equal((running += 1), 1);
          const { position } = (await tx.first(find, { name: 'counter' }))!;
          await tx.run(increase, { name: 'counter' });
          assert.equal((await tx.first(find, { name: 'counter' }))!.position, position + 1);
          running -= 1;
        }),
      ),
    );
    assert.equal(positionOf('counter'), 100);
  });

  test('a failed transaction is rolled back, and the others commit', async () => {
    const { group, commits, positionOf } = open();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) =>
        group.transaction(async (tx) => {
          await add(`n${i}`)(tx);
          if (i % 3 === 0) throw new Error(`not ${i}`);
          return i;
        }),
      ),
    );
    for (const [i, result] of results.entries()) {
      if (i % 3 === 0) assert.equal((result as PromiseRejectedResult).reason.message, `not ${i}`);
      else assert.equal((result as PromiseFulfilledResult<number>).value, i);
      assert.equal(positionOf(`n${i}`), i % 3 === 0 ? undefined : 0);
    }
    assert.equal(commits(), 1);
  });

  test('a transaction that violates a constraint is rolled back, and the others commit', async () => {
    const { group, positionOf } = open();
    const results = await Promise.allSettled(
      ['a', 'a', 'b'].map((name) => group.transaction(add(name))),
    );
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(positionOf('b'), 0);
  });

  test('a transaction that throws before it returns a promise does not affect the others', async () => {
    const { group, positionOf } = open();
    const broken = group.transaction(() => {
      throw new Error('at once');
    });
    const good = group.transaction(add('good'));
    await assert.rejects(broken, /at once/);
    await good;
    assert.equal(positionOf('good'), 0);
  });

  test('when the commit fails, all of them fail and nothing is stored', async () => {
    const { writer, group, positionOf } = open();
    const spoil = mock.method(writer.raw, 'exec', function (this: typeof writer.raw, sql: string) {
      if (sql === 'commit') throw new Error('disk full');
      return Object.getPrototypeOf(this).exec.call(this, sql);
    });
    const results = await Promise.allSettled(
      ['a', 'b'].map((name) => group.transaction(add(name))),
    );
    spoil.mock.restore();
    for (const result of results) {
      assert.match((result as PromiseRejectedResult).reason.message, /disk full/);
    }
    await group.transaction(add('later'));
    assert.deepEqual(['a', 'b', 'later'].map(positionOf), [undefined, undefined, 0]);
  });

  test('ids stay without gaps, whichever transaction fails', async () => {
    const { group, reader } = open();
    const work = Array.from({ length: 90 }, (_, i) =>
      group.transaction(async (tx) => {
        await tx.execute(`insert into numbered (name) values ('n${i}')`);
        if (i % 4 === 1) throw new Error('undone');
      }),
    );
    await Promise.allSettled(work);
    const ids = reader.raw.prepare('select id from numbered order by id').all();
    assert.ok(ids.length > 60);
    assert.deepEqual(
      ids.map((row) => row['id']),
      ids.map((_, i) => i + 1),
    );
  });

  test('a statement after the end throws', async () => {
    const { group } = open();
    let kept: Transaction | undefined;
    await group.transaction(async (tx) => void (kept = tx));
    await assert.rejects(add('late')(kept!), /has ended/);
    await assert.rejects(kept!.first(find, { name: 'x' }), /has ended/);
    await assert.rejects(kept!.all(find, { name: 'x' }), /has ended/);
    await assert.rejects(kept!.execute('delete from cursors'), /has ended/);
  });

  test('afterCommit runs after the commit, and not after a rollback', async () => {
    const { group, positionOf } = open();
    const ran: string[] = [];
    const good = group.transaction(async (tx) => {
      tx.afterCommit(() => ran.push(`good sees ${positionOf('good')}`));
      await add('good')(tx);
    });
    const bad = group.transaction(async (tx) => {
      tx.afterCommit(() => ran.push('bad'));
      throw new Error('undone');
    });
    await assert.rejects(bad);
    await good;
    assert.deepEqual(ran, ['good sees 0']);
  });

  test('batched work runs once for all items that wait, with one result per item', async () => {
    const { group, commits, positionOf } = open();
    const sets: number[] = [];
    const work = async (tx: Transaction, names: readonly string[]) => {
      sets.push(names.length);
      for (const name of names) await add(name)(tx);
      return names.map((name) => `made ${name}`);
    };
    const names = ['a', 'b', 'c'];
    const results = await Promise.all([
      ...names.map((name) => group.batchedTransaction(work, name)),
      group.transaction(add('between')),
      group.batchedTransaction(work, 'd'),
    ]);
    assert.deepEqual(results, ['made a', 'made b', 'made c', 1, 'made d']);
    assert.deepEqual([sets, commits()], [[4], 1]);
    assert.deepEqual([...names, 'd', 'between'].map(positionOf), [0, 0, 0, 0, 0]);
    assert.equal(await group.batchedTransaction(work, 'alone'), 'made alone');
    assert.deepEqual(sets, [4, 1]);
  });

  test('batched work that fails runs again for each item, and afterCommit runs once', async () => {
    const { group, positionOf } = open();
    const ran: string[] = [];
    const work = async (tx: Transaction, names: readonly string[]) => {
      tx.afterCommit(() => ran.push(names.join()));
      for (const name of names) await add(name)(tx);
      if (names.includes('bad')) throw new Error('not this one');
      return names;
    };
    const names = ['a', 'bad', 'b', 'a'];
    const results = await Promise.allSettled(
      names.map((name) => group.batchedTransaction(work, name)),
    );
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.match((results[1] as PromiseRejectedResult).reason.message, /not this one/);
    assert.deepEqual(['a', 'bad', 'b'].map(positionOf), [0, undefined, 0]);
    assert.deepEqual(ran, ['a', 'b']);
    await Promise.all(['c', 'd'].map((name) => group.batchedTransaction(work, name)));
    assert.deepEqual(ran, ['a', 'b', 'c,d']);
  });

  test('idle waits for all transactions', async () => {
    const { group, positionOf } = open();
    const work = Array.from({ length: 200 }, (_, i) => group.transaction(add(`n${i}`)));
    await group.idle();
    assert.equal(positionOf('n199'), 0);
    await Promise.all(work);
    await group.idle();
  });
});

describe('while another process has the write lock', () => {
  test('transactions wait in their order, and the event loop is not blocked', async () => {
    const { file, group } = open();
    const other = lockOf(file);
    const done: string[] = [];
    const all = ['a', 'b', 'c'].map((name) =>
      group.transaction(add(name)).then(() => done.push(name)),
    );
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    assert.deepEqual(done, []);
    other.raw.exec('commit');
    await Promise.all(all);
    assert.deepEqual(done, ['a', 'b', 'c']);
  });

  test('a transaction that has waited too long is refused with a reason, and the next one commits', async () => {
    const { file, writer, positionOf } = open();
    const said: string[] = [];
    const tell = (_: object, message: string) => void said.push(message);
    const group = new GroupCommit(writer, {
      waitMaxMs: 1_200,
      log: { info: tell, warn: tell, error: tell },
    });
    const other = lockOf(file);
    const patient = group.transaction(add('patient'), { patient: true });
    const refused = [group.transaction(add('one')), group.batchedTransaction(insertAll, 'two')];
    for (const one of refused) {
      await assert.rejects(one, (error) => {
        assert.ok(error instanceof DatabaseUnavailable);
        assert.match(error.message, /locked for 1.2 seconds/);
        return true;
      });
    }
    assert.equal(said.length, 1, said.join());
    other.raw.exec('commit');
    await patient;
    await group.transaction(add('three'));
    assert.deepEqual(['patient', 'one', 'two', 'three'].map(positionOf), [
      0,
      undefined,
      undefined,
      0,
    ]);
  });

  test('a transaction that cannot begin is refused immediately', async () => {
    const { writer, group } = open();
    writer.close();
    await assert.rejects(group.transaction(add('n')), /not open/);
    await group.idle();
  });
});
