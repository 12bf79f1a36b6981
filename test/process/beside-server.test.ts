import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { testOnFile, testOnServer } from '../postgres/file-or-server.ts';
import { eventually, SAFETY_NET_MS } from '../support/eventually.ts';
import { KeyMaker } from './key-maker.ts';
import { tempFolder } from './launch.ts';
import { checkDatabase, checkDatabaseFile, rowsIn } from './look-inside.ts';
import { paste } from './paste.ts';
import { createKey, install, run, runJson } from './run.ts';
import { startServer, type Reply, type Server } from './running-server.ts';

/** What `backup` says there is in commands.test.ts. */
const NO_COPY = 'a database on a server is copied with pg_dump';

let data: string;
let admin: string;
let server: Server;
before(async () => {
  ({ data, key: admin } = await install({ 'api.rate_per_minute': 1_000_000 }));
  if (testServer() === undefined) fill(dataFolder(data).databaseFile);
  server = await startServer(data);
});

/** Fills the database to the size of one in use. */
function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`
    create table filler (text text);
    with recursive row(n) as (select 1 union all select n + 1 from row where n < 20000)
    insert into filler select hex(randomblob(500)) from row`);
  db.close();
}

const set = (name: string, value: string) =>
  runJson(['settings', 'set', name, value, '--data', data]);
const answersInTheEnd = (path: string, key: string, right: (reply: Reply) => void) =>
  eventually(async () => right(await server.call(path, { key })));

describe('beside a running server', () => {
  let key: { id: number; token: string };

  test('a key works as soon as the command line has created it', async () => {
    key = await createKey(data, 'admin', 'read');
    const me = await server.call('/me', { key: key.token });
    assert.equal(me.status, 200, me.text);
    assert.equal(me.body.auth.key_id, key.id);
  });

  test('a key is refused after the command line has revoked it', async () => {
    await runJson(['keys', 'revoke', String(key.id), '--data', data]);
    await answersInTheEnd('/me', key.token, ({ status, body }) => {
      assert.deepEqual([status, body.code], [401, 'svc_api_invalid_key']);
    });
  });

  test('a user created by the command line can sign in immediately', async () => {
    const args = ['admin', 'create', '--login', 'ann', '--email', 'ann@test.example'];
    const { password } = await runJson([...args, '--data', data]);
    const json = { login: 'ann', password };
    assert.equal((await server.call('~/session', { method: 'POST', json })).status, 201);
  });

  test('an endpoint is switched off and on, without a restart', async () => {
    const unknown = await server.call('/mee', { key: admin });
    await set('api.disabled_endpoints', 'get_me');
    await answersInTheEnd('/me', admin, ({ status, text }) => {
      assert.deepEqual([status, text], [404, unknown.text]);
    });
    const { body } = await server.call('/openapi');
    assert.ok(!Object.keys(body.paths).some((path) => path.endsWith('/me')));
    await set('api.disabled_endpoints', '');
    await answersInTheEnd('/me', admin, ({ status }) => assert.equal(status, 200));
  });

  test('a changed rate limit applies without a restart', async () => {
    await set('api.rate_per_minute', '3');
    await answersInTheEnd('/me', admin, ({ headers }) => {
      assert.match(String(headers['ratelimit-policy']), /;q=3;/);
    });
    await eventually(async () => {
      const { status, body } = await server.call('/me', { key: admin });
      assert.deepEqual([status, body.code], [429, 'svc_api_rate_limited']);
    });
    await set('api.rate_per_minute', '1000000');
    await answersInTheEnd('/me', admin, ({ status }) => assert.equal(status, 200));
  });

  testOnServer('a demo does not use the database of its environment', async () => {
    const demo = join(tempFolder(), 'demo');
    const beside = await startServer(demo, ['--tls', 'off'], { command: 'demo' });
    const curls = beside.output.stdout.split('\n').filter((line) => line.startsWith('curl '));
    assert.equal(curls.length, 3);
    for (const line of curls) assert.equal((await paste(line, beside)).status, 200, line);
    assert.equal((await beside.stop()).code, 0);
    assert.ok(existsSync(dataFolder(demo).databaseFile));
    for (const table of ['users', 'orders', 'installation', 'leases']) {
      assert.deepEqual(await rowsIn(demo, `select * from ${table}`), [], table);
    }
  });

  testOnFile('a backup is complete while clients write', NO_COPY, async () => {
    const makers = Array.from({ length: 8 }, () => new KeyMaker(server, admin));
    const made = () => makers.flatMap((maker) => maker.made.map(({ id }) => id));
    await eventually(() => assert.ok(made().length >= 50));

    const target = join(tempFolder(), 'backup.db');
    const earlier = made();
    const { code, stderr } = await run(['backup', target, '--data', data]);
    const later = made();
    await Promise.all(makers.map((maker) => maker.stop()));
    assert.equal(code, 0, stderr);
    assert.ok(later.length >= earlier.length + 50, 'the clients were writing during the backup');

    const copy = await checkDatabaseFile(target);
    assert.deepEqual(
      earlier.filter((id) => !copy.keys.has(id)),
      [],
      'what was acknowledged before is in it',
    );
    const original = await checkDatabase(data);
    assert.deepEqual(
      made().filter((id) => !original.keys.has(id)),
      [],
      'what was acknowledged during the backup is in the original',
    );
    const sameMoment = [...original.keys].slice(0, copy.keys.size);
    assert.deepEqual([...copy.keys], sameMoment, 'it shows one moment');
  });

  testOnFile('a backup ends although writes never stop', NO_COPY, async () => {
    const db = new DatabaseSync(dataFolder(data).databaseFile, { timeout: SAFETY_NET_MS });
    db.exec('pragma synchronous = off');
    const write = db.prepare("insert into filler values ('more')");
    const writing = setInterval(() => write.run(), 1);
    try {
      const target = join(tempFolder(), 'backup.db');
      const { code, stderr } = await run(['backup', target, '--data', data]);
      assert.equal(code, 0, stderr);
      await checkDatabaseFile(target);
    } finally {
      clearInterval(writing);
      db.close();
    }
  });
});
