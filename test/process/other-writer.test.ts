import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { collect, ended, launch } from './launch.ts';
import { changeDatabase, checkDatabase, rowsIn } from './look-inside.ts';
import { install } from './run.ts';
import { startServer, type Reply, type Server } from './running-server.ts';

let data: string;
let key: string;
let server: Server;
before(async () => {
  ({ data, key } = await install());
  server = await startServer(data);
});

/** Holds the write lock, as an import or a migration in another process does. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const db = new DatabaseSync(dataFolder(data).databaseFile, { timeout: 5_000 });
  db.exec('begin immediate');
  try {
    return await work();
  } finally {
    db.close();
  }
}

const createKey = () => server.call('/keys', { method: 'POST', key, json: {} });

test('while another process writes, reads are answered and changes wait for it', async () => {
  const answers: Reply[] = [];
  const changes = await whileLocked(async () => {
    const waiting = [createKey(), createKey()];
    for (const change of waiting) void change.then((answer) => answers.push(answer));
    for (let i = 0; i < 2; i++) {
      assert.equal((await server.call('~/healthz')).status, 200);
      assert.equal((await server.call('/keys', { key })).status, 200);
      assert.deepEqual(answers, [], 'the other process still has the lock');
    }
    return waiting;
  });
  for (const change of changes) assert.equal((await change).status, 201);
  await checkDatabase(data);
});

test('so does a command that writes', async () => {
  const { child, output } = await whileLocked(async () => {
    const started = await launch(['keys', 'create', '--user', 'admin', '--data', data, '--json']);
    const said = collect(started);
    await eventually(() => assert.match(said.stderr, /another process is writing/));
    assert.equal(started.exitCode, null);
    return { child: started, output: said };
  });
  assert.equal((await ended(child)).code, 0, output.stderr);
  assert.match(output.stdout, /"token"/);
});

test('a migration waits however long the other process takes', async () => {
  await server.stop();
  await changeDatabase(
    data,
    "delete from migrations where name = 'leases/0001-baseline'",
    'drop table leases',
  );
  const { child, output } = await whileLocked(async () => {
    const started = await launch(['keys', 'list', '--data', data, '--json']);
    const said = collect(started);
    await eventually(() => assert.match(said.stderr, /another process is writing/));
    return { child: started, output: said };
  });
  assert.equal((await ended(child)).code, 0, output.stderr);
  assert.deepEqual(await rowsIn(data, 'select * from leases'), []);
});
