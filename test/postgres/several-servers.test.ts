import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { query } from '../../src/db/statements/query.ts';
import { DatabaseUnavailable } from '../../src/db/unavailable.ts';
import { openProxy, type RedisProxy } from '../redis/proxy.ts';
import { eventually } from '../support/eventually.ts';
import { makeDatabase, testServer } from './databases.ts';
import { refusal, rowAnswer, startStandIn } from './stand-in.ts';

const server = testServer()!;
const one = query<object, { one: number }>((db) => db.selectNoFrom(sql<number>`1`.as('one')));
const STANDBY = rowAnswer({ transaction_read_only: 'on' });
const hostOf = ({ url }: { url: string }) => new URL(url).host;

/** The database behind these hosts. */
function addressOf(database: string, ...hosts: string[]): string {
  const url = new URL(database);
  url.searchParams.set('target_session_attrs', 'read-write');
  return url.href.replace(`@${url.host}/`, `@${hosts.join()}/`);
}

test('of several servers the one is used that accepts changes', async (t) => {
  const made = await makeDatabase(server);
  t.after(() => made.drop());
  const standby = await startStandIn(STANDBY);
  const stopping = refusal('FATAL', '57P03', 'the database system is shutting down');
  const starting = await startStandIn(STANDBY, stopping);
  const { host } = new URL(made.url);
  const others = ['127.0.0.1:1', hostOf(standby), hostOf(starting)];
  const database = await openPostgres(addressOf(made.url, ...others, host));
  t.after(() => database.close());
  await database.transaction((tx) => tx.execute('create table proof (id integer)'));
  assert.deepEqual(await database.snapshot((reader) => reader.first(one, {})), { one: 1 });
  await eventually(() => assert.equal(standby.connections.open, 0, 'none stays at a standby'));
  await assert.rejects(
    openPostgres(addressOf(made.url, ...others)),
    /none of its servers accepts changes/,
  );
  standby.close();
  starting.close();
});

test('reads, changes and notifications follow the primary to another server', async (t) => {
  const made = await makeDatabase(server);
  t.after(() => made.drop());
  const [left, right] = [await openProxy(server), await openProxy(server)];
  await right.cut();
  const database = await openPostgres(addressOf(made.url, hostOf(left), hostOf(right)));
  const other = await openPostgres(made.url);
  t.after(() => Promise.all([database.close(), other.close()]));
  let notified = 0;
  await database.onForeignChange(() => (notified += 1));
  const read = () => database.read.first(one, {});
  const change = () => database.transaction((tx) => tx.first(one, {}));
  const follows = async (from: RedisProxy, to: RedisProxy) => {
    await from.cut();
    await assert.rejects(read(), DatabaseUnavailable);
    await assert.rejects(change(), DatabaseUnavailable);
    await assert.rejects(database.snapshot(read), DatabaseUnavailable);
    // It may listen again before the first statement is answered.
    const before = notified;
    await to.open();
    // The first attempt: each server is tried.
    const rows = await Promise.all([read(), change(), read(), change()]);
    assert.deepEqual(
      rows.map((row) => row?.one),
      [1, 1, 1, 1],
    );
    await eventually(() => assert.ok(notified > before, 'it listens again'));
    const heard = notified;
    await other.transaction(async (tx) => tx.afterCommitEverywhere(() => {}));
    await eventually(() => assert.ok(notified > heard));
  };
  await follows(left, right);
  await follows(right, left);
});
