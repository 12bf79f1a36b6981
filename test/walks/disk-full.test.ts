import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { install } from '../process/run.ts';
import { startServer } from '../process/running-server.ts';
import { eventually } from '../support/eventually.ts';
import { noSmallDisk, onSmallDisk, SmallDisk } from '../support/small-disk.ts';

const skip =
  testServer() === undefined ? (noSmallDisk() ?? false) : 'the disk of a server is its own';

test(
  'the disk gets full: not ready, changes are 503, one line in the log; with space all works again by itself',
  { skip },
  async () => {
    const { data, key } = await install();
    const server = await startServer(data, [], {
      node: [...onSmallDisk(data), process.execPath],
    });
    const disk = new SmallDisk(server.child.pid!, data);
    server.ca = readFileSync(disk.pathOf(dataFolder(data).certificateFile), 'utf8');
    const createKey = () => server.call('/keys', { method: 'POST', key, json: {} });
    const readiness = () => server.call('~/readyz');
    const linesWith = (words: string) =>
      server.output.stderr.split('\n').filter((line) => line.includes(words));

    assert.deepEqual((await readiness()).body, {
      status: 'ready',
      checks: { database: 'ok', write: 'ok', disk: 'ok', migrations: 'ok', worker: 'ok' },
    });
    let made = 1;
    assert.equal((await createKey()).status, 201);
    made += 1;

    disk.fill();
    const refused = await createKey();
    assert.deepEqual([refused.status, refused.body.code], [503, 'svc_api_not_writable']);
    assert.equal(refused.headers['retry-after'], '5');
    assert.doesNotMatch(refused.text, /space|disk|\.db/, 'callers learn nothing about the machine');
    const { status, body, text } = await readiness();
    assert.equal(status, 503);
    assert.deepEqual(body, {
      status: 'not ready',
      checks: {
        database: 'ok',
        write: 'failing',
        disk: 'failing',
        migrations: 'ok',
        worker: 'ok',
      },
    });
    assert.doesNotMatch(text, /tributary/);
    for (let i = 0; i < 20; i++) assert.equal((await createKey()).status, 503);
    assert.equal((await server.call('/keys', { key })).status, 200, 'reading goes on');
    await eventually(() => assert.equal(linesWith('"a request failed"').length, 1));
    assert.match(linesWith('"a request failed"')[0]!, /There is no space left on the disk/);

    disk.free();
    await eventually(async () => assert.equal((await readiness()).status, 200));
    assert.equal((await createKey()).status, 201);
    made += 1;
    await eventually(() => assert.equal(linesWith('changes can be stored again').length, 1));
    assert.equal(linesWith('"a request failed"').length, 1);
    const listed = await server.call('/keys?per_page=100', { key });
    assert.equal(listed.body.length, made, 'what was refused left nothing behind');
    assert.equal((await server.stop()).code, 0);
  },
);
