import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { checkDatabase } from './look-inside.ts';
import { install } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const createKey = (server: Server, key: string) =>
  server.call('/keys', { method: 'POST', key, json: {} });

/** It refuses changes and reports why; reads still work on the open file. */
async function assertRefusing(server: Server, key: string, words: RegExp): Promise<void> {
  const refused = await createKey(server, key);
  assert.deepEqual(
    [refused.status, refused.body.code],
    [503, 'svc_api_not_writable'],
    refused.text,
  );
  assert.equal(refused.headers['retry-after'], '5');
  assert.doesNotMatch(refused.text, /tributary\.db/);
  const readiness = await server.call('~/readyz');
  assert.deepEqual([readiness.status, readiness.body.checks.write], [503, 'failing']);
  assert.equal((await server.call('/keys', { key })).status, 200);
  await eventually(() => assert.match(server.output.stderr, words));
}

describe('under a running server', () => {
  test('the log of the database is removed: no change is acknowledged, and none is lost', async () => {
    const { data, key } = await install();
    const server = await startServer(data);
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await createKey(server, key)).body.id);
    rmSync(`${dataFolder(data).databaseFile}-wal`);
    await assertRefusing(server, key, /changes are refused: .*-wal was removed.*Restart it/);
    await server.stop('SIGKILL');
    const { keys } = await checkDatabase(data);
    assert.deepEqual(
      made.filter((id) => !keys.has(id)),
      [],
    );
    assert.equal((await createKey(await startServer(data), key)).status, 201);
  });

  test('the database is replaced: no change is acknowledged until the original is back', async () => {
    const { data, key } = await install();
    const server = await startServer(data);
    const { databaseFile } = dataFolder(data);
    renameSync(databaseFile, `${databaseFile}.away`);
    writeFileSync(databaseFile, '');
    await assertRefusing(server, key, /changes are refused: .*Put the original back/);
    renameSync(`${databaseFile}.away`, databaseFile);
    assert.equal((await createKey(server, key)).status, 201);
    assert.equal((await server.call('~/readyz')).status, 200);
    assert.equal((await server.stop()).code, 0);
    await checkDatabase(data);
  });
});
