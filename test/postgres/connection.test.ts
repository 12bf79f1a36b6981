import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { TRANSACTIONS_FIRST_MS } from '../../src/db/background-queue.ts';
import type { Database, Reader, Transaction } from '../../src/db/database.ts';
import { connectionOptions, Statements } from '../../src/db/postgres/connection.ts';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { PostgresTransactions } from '../../src/db/postgres/transaction.ts';
import { watchChannel } from '../../src/db/postgres/watch-changes.ts';
import { long, query } from '../../src/db/statements/query.ts';
import { ConfigError, resolveConfig } from '../../src/installation/config.ts';
import { OpenWork } from '../../src/shared/open-work.ts';
import { inTheEnd } from '../process/launch.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp, refusal as refusalOf } from '../support/harness.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { databaseUrl, makeDatabase, onServer, testServer, type TestDatabase } from './databases.ts';
import { refusal, rowAnswer, startStandIn } from './stand-in.ts';

const server = testServer();

const find = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);
const insert = query<{ name: string; position: number }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: p.position }),
);
const save = query<{ name: string; position: number }>((db, p) =>
  db.updateTable('cursors').set({ position: p.position }).where('name', '=', p.name),
);
const limit = query<object, { limit: string }>((db) =>
  db.selectNoFrom(sql<string>`current_setting('statement_timeout')`.as('limit')),
);
const idleLimit = query<object, { limit: string }>((db) =>
  db.selectNoFrom(sql<string>`current_setting('idle_in_transaction_session_timeout')`.as('limit')),
);
const ownPid = query<object, { pid: number }>((db) =>
  db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')),
);
const kinds = query<{ text: string }, Record<'count' | 'sum' | 'yes' | 'text', unknown>>((db, p) =>
  db.selectNoFrom([
    sql`count(*)`.as('count'),
    sql`sum(9007199254740991::bigint)`.as('sum'),
    sql`exists (select 1)`.as('yes'),
    sql`${p.text}::text`.as('text'),
  ]),
);

const LOCK = 4711;
/** Takes as long as another session holds the lock. */
const waitForLock = query<object, { done: string }>(
  (db) => db.selectNoFrom(sql<string>`pg_advisory_xact_lock(${sql.lit(LOCK)})::text`.as('done')),
  long,
);

if (server !== undefined) describe('a database on a server', () => onPostgres(server));

function onPostgres(url: string): void {
  let made: TestDatabase;
  let one: Database;
  let other: Database;
  before(async () => {
    made = await makeDatabase(url);
    one = await openPostgres(made.url);
    other = await openPostgres(made.url);
  });
  after(async () => {
    await one.close();
    await other.close();
    // One of the tests has two transactions wait for each other.
    await made.drop({ mayDeadlock: true });
  });
  const positionOf = async (name: string) => (await one.read.first(find, { name }))?.position;
  const add = (name: string, position = 0) =>
    one.transaction((tx) => tx.run(insert, { name, position }));
  const untilEnded = (pid: number) =>
    eventually(async () => {
      const sessions = await onServer(url, `select 1 from pg_stat_activity where pid = ${pid}`);
      assert.deepEqual(sessions, []);
    });
  const loseConnections = () =>
    onServer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${new URL(made.url).pathname.slice(1)}'`,
    );

  test('counts, sums and flags are numbers, and no text is refused', async () => {
    assert.deepEqual(await one.read.first(kinds, { text: 'a\0b' }), {
      count: 1,
      sum: Number.MAX_SAFE_INTEGER,
      yes: 1,
      text: 'a\uFFFDb',
    });
  });

  test('statements of one tick are sent with one write, with what begins the transaction', async (t) => {
    const number = query<object, { n: number }>((db) => db.selectNoFrom(sql<number>`1`.as('n')));
    const ask = () =>
      one.transaction(async (tx) => {
        await Promise.all([tx.first(number, {}), tx.first(number, {}), tx.first(number, {})]);
      });
    await ask();
    const sockets = Socket.prototype as Required<Socket>;
    const spies = [t.mock.method(sockets, '_write'), t.mock.method(sockets, '_writev')];
    await ask();
    // The other one commits.
    assert.equal(
      spies.reduce((sum, { mock }) => sum + mock.callCount(), 0),
      2,
    );
  });

  test('a transaction in the background begins when others have ended, or after a while', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const order: string[] = [];
    const { promise: awaited, resolve: endOther } = Promise.withResolvers<void>();
    const begin = (background: boolean, name: string, work: Promise<unknown>) =>
      one.transaction(
        async (tx) => {
          order.push(name);
          await Promise.all([tx.all(ownPid, {}), work]);
        },
        { background },
      );
    const others = [begin(false, 'first', awaited), begin(false, 'second', awaited)];
    const later = begin(true, 'in the background', Promise.resolve());
    await eventually(() => assert.ok(order.length >= 2));
    // Long enough for a transaction that does not wait.
    await begin(false, 'third', Promise.resolve());
    assert.ok(!order.includes('in the background'));
    endOther();
    await Promise.all([...others, later]);

    const { promise: endless, resolve: end } = Promise.withResolvers<void>();
    const fourth = begin(false, 'fourth', endless);
    const beside = begin(true, 'beside it', Promise.resolve());
    await eventually(() => assert.ok(order.includes('fourth')));
    await eventually(() => {
      t.mock.timers.tick(TRANSACTIONS_FIRST_MS);
      assert.ok(order.includes('beside it'));
    });
    await beside;
    end();
    await fourth;
  });

  test('answers short statements while more long ones run than it has connections', async () => {
    await add('short', 7);
    const holder = new pg.Client(made.url);
    await holder.connect();
    await holder.query(`select pg_advisory_lock(${LOCK})`);
    const running = Array.from({ length: 8 }, () => one.read.first(waitForLock, {}));
    const short = await Promise.all(Array.from({ length: 8 }, () => positionOf('short')));
    assert.deepEqual(short, Array(8).fill(7));
    await holder.end();
    assert.equal((await Promise.all(running)).length, 8);
  });

  describe('that cannot be used says why', () => {
    const reasons: [string, (given: URL) => void, RegExp][] = [
      ['no server', (given) => (given.port = '1'), /: no server answers there\./],
      ['no host', (given) => (given.hostname = 'nowhere.invalid'), /: no host has that name/],
      ['nobody', (given) => (given.username = 'nobody-known'), /: the server refuses this user/],
      ['no database', (given) => (given.pathname = '/none'), /: the server has no database/],
      [
        'no certificate of an authority',
        (given) => (given.search = '?sslmode=verify-full&sslrootcert=/none/ca.pem'),
        /^DATABASE_URL must name a file that can be read as sslrootcert\./,
      ],
    ];
    for (const [name, change, words] of reasons) {
      test(name, async () => {
        const wrong = new URL(made.url);
        wrong.password = 'a-secret';
        change(wrong);
        await assert.rejects(openTestApp({ config: { databaseUrl: wrong.href } }), (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, words);
          assert.doesNotMatch(error.message, /a-secret/);
          return true;
        });
      });
    }

    test('one that is too old', async () => {
      const answer = rowAnswer({ version: '130022', standby: 'false', readOnly: 'off' });
      const old = await startStandIn(answer);
      await assert.rejects(openPostgres(old.url), /it is PostgreSQL 13, and at least 14 is needed/);
      old.close();
    });

    test('one that is too old to know a requested parameter', async () => {
      const words = 'unrecognized configuration parameter "plan_cache_mode"';
      const older = await startStandIn(rowAnswer({}), refusal('FATAL', '42704', words));
      await assert.rejects(openPostgres(older.url), /it is too old: at least PostgreSQL 14/);
      older.close();
    });

    test('a standby', async () => {
      const answer = rowAnswer({ version: '150019', standby: 'true', readOnly: 'off' });
      const standby = await startStandIn(answer);
      await assert.rejects(openPostgres(standby.url), /it is a standby, which can only be read/);
      standby.close();
    });

    test('one that can only be read', async () => {
      const readOnly = await makeDatabase(url);
      const name = new URL(readOnly.url).pathname.slice(1);
      await onServer(url, `alter database ${name} set default_transaction_read_only = on`);
      await assert.rejects(openPostgres(databaseUrl(url, name)), /can only be read/);
      await readOnly.drop();
    });

    test('one that cannot hold every text', async () => {
      const name = `${made.name}_latin1`;
      await onServer(
        url,
        `create database ${name} encoding 'LATIN1' locale 'C' template template0`,
      );
      await assert.rejects(openPostgres(databaseUrl(url, name)), /its encoding is LATIN1/);
      await onServer(url, `drop database ${name}`);
    });

    test('one in which this user may not make tables', async () => {
      const guest = `${made.name}_guest`;
      await onServer(url, `create role ${guest} login password 'a-secret'`);
      const address = new URL(made.url);
      [address.username, address.password] = [guest, 'a-secret'];
      // As of PostgreSQL 15 this is so in every new database.
      await onServer(made.url, 'revoke create on schema public from public');
      await assert.rejects(openPostgres(address.href), /this user may not create tables there/);
      await onServer(url, `drop role ${guest}`);
    });
  });

  test('an address with spaces and a line break around it is that address', () => {
    const { config } = resolveConfig({ databaseUrl: ` ${made.url}\n` }, {});
    assert.equal(config.databaseUrl, made.url);
  });

  describe('transactions', () => {
    test('that stop each other: one is done again, and both are kept', async () => {
      await add('left');
      await add('right');
      let attempts = 0;
      const bothHaveOne = meetingOf(2);
      const both = (database: Database, first: string, second: string) =>
        database.transaction(async (tx) => {
          const attempt = (attempts += 1);
          for (const name of [first, second]) {
            const { position } = (await tx.first(find, { name }))!;
            await tx.run(save, { name, position: position + 1 });
            if (attempt <= 2 && name === first) await bothHaveOne();
          }
        });
      await Promise.all([both(one, 'left', 'right'), both(other, 'right', 'left')]);
      assert.equal(attempts, 3);
    });

    test('that lose a race for a name look again, and what they had in mind is dropped', async () => {
      const notified: string[] = [];
      const bothHaveLooked = meetingOf(2);
      const work = (database: Database) => (name: string) =>
        database.transaction(async (tx) => {
          if (await tx.first(find, { name })) return 'taken';
          tx.afterCommit(() => notified.push(name));
          await bothHaveLooked();
          await tx.run(insert, { name, position: 1 });
          return 'mine';
        });
      const outcomes = await Promise.all([work(one)('wanted'), work(other)('wanted')]);
      assert.deepEqual(outcomes.sort(), ['mine', 'taken']);
      assert.deepEqual(notified, ['wanted']);
    });

    test('with a statement that failed are not kept, whatever was made of the failure', async () => {
      const spoiled = one.transaction(async (tx) => {
        await tx.run(insert, { name: 'spoiled', position: 1 });
        await tx.execute('select nothing from nowhere').catch(() => {});
      });
      await assert.rejects(spoiled, /nowhere/);
      assert.equal(await positionOf('spoiled'), undefined);
    });

    test('with several statements on their way tell which failed, not which went down with it', async () => {
      const missing = query<object>((db) => ({
        compile: () => sql<never>`select * from no_such_table`.compile(db),
      }));
      const late = async (tx: Transaction) => {
        try {
          await tx.all(missing, {});
        } finally {
          await setTimeout(20);
        }
      };
      const work = one.transaction((tx) => Promise.all([late(tx), tx.first(find, { name: 'x' })]));
      await assert.rejects(work, { code: '42P01' });
    });

    test('that take the same lock wait for each other', async () => {
      await add('turns');
      const raise = (database: Database) =>
        database.transaction(async (tx) => {
          await tx.lock('turns');
          const { position } = (await tx.first(find, { name: 'turns' }))!;
          await tx.run(save, { name: 'turns', position: position + 1 });
        });
      await Promise.all(Array.from({ length: 40 }, (_, i) => raise(i % 2 ? one : other)));
      assert.equal(await positionOf('turns'), 40);
    });

    test('wait as long as a statement may take, or however long it takes', async () => {
      const limitOf = (options: { patient: boolean }) =>
        one.transaction(async (tx) => (await tx.first(limit, {}))?.limit, options);
      assert.equal(await limitOf({ patient: false }), '30s');
      assert.equal(await limitOf({ patient: true }), '0');
      assert.equal(await limitOf({ patient: false }), '30s', 'for one transaction alone');
    });

    test('see what those before them did, on a server where that is not usual', async () => {
      const strict = await makeDatabase(url);
      await onServer(
        url,
        `alter database ${strict.name} set default_transaction_isolation = 'repeatable read'`,
      );
      const database = await openPostgres(strict.url);
      await database.transaction((tx) => tx.run(insert, { name: 'turns', position: 0 }));
      let attempts = 0;
      const raise = () =>
        database.transaction(async (tx) => {
          attempts += 1;
          await tx.lock('turns');
          const { position } = (await tx.first(find, { name: 'turns' }))!;
          await tx.run(save, { name: 'turns', position: position + 1 });
        });
      try {
        await Promise.all(Array.from({ length: 8 }, raise));
        assert.equal(attempts, 8, 'none had to be done again');
        assert.equal((await database.read.first(find, { name: 'turns' }))?.position, 8);
      } finally {
        await database.close();
        await strict.drop();
      }
    });

    test('refuse statements after their end', async () => {
      let kept: Transaction | undefined;
      await one.transaction(async (tx) => void (kept = tx));
      await assert.rejects(kept!.first(find, { name: 'x' }), /has ended/);
    });

    test('of a snapshot see one moment', async () => {
      await add('moment', 1);
      const seen = await one.snapshot(async (reader) => {
        const first = await reader.first(find, { name: 'moment' });
        await other.transaction((tx) => tx.run(save, { name: 'moment', position: 2 }));
        return [first, await reader.first(find, { name: 'moment' })];
      });
      assert.deepEqual(seen, [{ position: 1 }, { position: 1 }]);
      assert.equal(await positionOf('moment'), 2);
    });
  });

  test('changes of other instances are notified, own changes are not; also after a lost connection', async () => {
    let notified = 0;
    await one.onForeignChange(() => (notified += 1));
    assert.equal(notified, 1, 'once it listens');
    await one.transaction(async (tx) => tx.afterCommitEverywhere(() => {}));
    await other.transaction(async (tx) => tx.afterCommit(() => {}));
    await other.transaction(async (tx) => tx.afterCommitEverywhere(() => {}));
    await eventually(() => assert.equal(notified, 2));
    await loseConnections();
    await eventually(() => assert.equal(notified, 3, 'it listens again'));
    await eventually(() => other.transaction(async (tx) => tx.afterCommitEverywhere(() => {})));
    await eventually(() => assert.equal(notified, 4));
  });

  test('one that refuses LISTEN is retried repeatedly, on one connection at a time', async () => {
    const answer = refusal('ERROR', '25006', 'cannot execute LISTEN during recovery');
    const standby = await startStandIn(answer);
    const telling = { channel: 'changes', sender: 'me' };
    const watch = watchChannel(new Servers(standby.url), telling, () => assert.fail());
    await watch.begun;
    await eventually(() => {
      assert.ok(standby.connections.ever > 2);
      assert.ok(standby.connections.open < 2);
    });
    await watch.stop();
    await eventually(() => assert.equal(standby.connections.open, 0));
    standby.close();
  });

  test('work of a lost connection is done on another connection', async () => {
    await add('survivor', 7);
    assert.equal(await positionOf('survivor'), 7);
    await loseConnections();
    assert.equal(await positionOf('survivor'), 7);
    let attempts = 0;
    await one.transaction(async (tx) => {
      attempts += 1;
      const { position } = (await tx.first(find, { name: 'survivor' }))!;
      await tx.run(save, { name: 'survivor', position: position + 1 });
      if (attempts === 1) await loseConnections();
      await tx.first(find, { name: 'survivor' });
    });
    assert.deepEqual([attempts, await positionOf('survivor')], [2, 8]);
  });

  test('a transaction whose session the server has ended is done again, also when only the commit is left', async () => {
    await add('idle');
    let attempts = 0;
    await one.transaction(async (tx) => {
      attempts += 1;
      const { position } = (await tx.first(find, { name: 'idle' }))!;
      await tx.run(save, { name: 'idle', position: position + 1 });
      if (attempts > 1) return;
      const { pid } = (await tx.first(ownPid, {}))!;
      await tx.execute('set local idle_in_transaction_session_timeout = 50');
      await untilEnded(pid);
    });
    assert.deepEqual([attempts, await positionOf('idle')], [2, 1]);
  });

  test('a snapshot is retried when its connection is terminated', async () => {
    let attempts = 0;
    const seen = await one.snapshot(async (reader) => {
      attempts += 1;
      const { pid } = (await reader.first(ownPid, {}))!;
      if (attempts === 1) {
        await onServer(url, `select pg_terminate_backend(${pid})`);
        await untilEnded(pid);
      }
      return reader.all(find, { name: 'nowhere' });
    });
    assert.deepEqual([attempts, seen], [2, []]);
  });

  test('a transaction sets its idle timeout, even if the connection could not', async () => {
    const pool = new pg.Pool({ connectionString: made.url });
    const telling = { channel: 'changes', sender: 'me' };
    const statements = new Statements();
    for (const [setsIdleLimit, expected] of [
      [true, '5s'],
      [false, '0'],
    ] as const) {
      const unlimited = new PostgresTransactions(pool, statements, telling, {
        setsIdleLimit,
        requests: new OpenWork(),
      });
      const read = (reader: Reader) => reader.first(idleLimit, {});
      assert.deepEqual(await unlimited.transaction(read), { limit: expected });
      assert.deepEqual(await unlimited.transaction(read, { patient: true }), { limit: expected });
      assert.deepEqual(await unlimited.snapshot(read), { limit: expected });
    }
    await pool.end();
    assert.deepEqual(await one.transaction((tx) => tx.first(idleLimit, {})), { limit: '5s' });
  });

  test('a process that does not read what the server sends holds no lock for long', async () => {
    const still = new pg.Client({ ...connectionOptions(made.url), pipeline: false });
    still.on('error', () => {});
    await still.connect();
    await still.query('begin; select pg_advisory_xact_lock(4711)');
    // The types of pg do not show the socket.
    (still as unknown as { connection: { stream: Socket } }).connection.stream.pause();
    const unread = still.query("select repeat('x', 1000000) from generate_series(1, 100)");
    unread.catch(() => {});
    await other.transaction((tx) => tx.execute('select pg_advisory_xact_lock(4711)'));
    await still.end();
  });

  test('a plan made before another process migrated is made again', async () => {
    const wide = query<{ name: string }, Record<string, unknown>>((db, p) =>
      db.selectFrom('cursors').selectAll().where('name', '=', p.name),
    );
    await add('plan');
    assert.deepEqual(Object.keys((await one.read.first(wide, { name: 'plan' }))!).length, 2);
    await one.transaction((tx) => tx.first(wide, { name: 'plan' }));
    await other.transaction((tx) => tx.execute('alter table cursors add column more text'));
    assert.equal((await one.read.first(wide, { name: 'plan' }))?.['name'], 'plan');
    const inside = await one.transaction((tx) => tx.first(wide, { name: 'plan' }));
    assert.equal(inside?.['name'], 'plan');
  });

  test('another secret is refused before anything is done with it', async () => {
    const { databaseUrl: same } = await openTestApp();
    await assert.rejects(openTestApp({ config: { databaseUrl: same } }), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /secret\.key of this data folder is not the one/);
      return true;
    });
  });

  test('one that takes no changes any more is not ready, until it does again', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'read,write,manage');
    const name = new URL(app.databaseUrl).pathname.slice(1);
    const setReadOnly = (value: string) =>
      onServer(
        url,
        `alter database ${name} set default_transaction_read_only = ${value}`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    const ready = () => app.call('~/readyz');
    assert.equal((await ready()).status, 200);
    await setReadOnly('on');
    await eventually(async () => {
      const { status, body } = await ready();
      assert.deepEqual([status, body.checks.write], [503, 'failing']);
    });
    const change = await app.call('/keys', { method: 'POST', key, json: {} });
    assert.equal(refusalOf(change), '503 svc_api_not_writable');
    await setReadOnly('off');
    await eventually(async () => assert.equal((await ready()).status, 200));
  });

  test('an instance whose database is gone still stops', async () => {
    const gone = await makeDatabase(url);
    const { config } = resolveConfig(
      { data: tempFolder(), databaseUrl: gone.url, tls: 'off', port: '0' },
      {},
    );
    const app = await openApp({ config, log: pino({ level: 'silent' }) });
    await app.listen();
    await gone.drop();
    // Long enough for the connections to be looked for again.
    await setTimeout(700);
    await inTheEnd(app.close(), 'stopping');
  });

  test('a copy is for pg_dump to make', async () => {
    await assert.rejects(one.backup('/anywhere'), /pg_dump/);
  });
}

/** A barrier: blocks until `size` callers have arrived; later ones need not wait. */
function meetingOf(size: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come >= size) all.resolve();
    return all.promise;
  };
}
