import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testOnFile } from '../postgres/file-or-server.ts';
import { tempFolder } from '../process/launch.ts';
import { assertRefused, install, run, USAGE } from '../process/run.ts';
import { startServer } from '../process/running-server.ts';

const PAGE_BYTES = 4096;

/** Overwrites ten pages with random bytes, as a failing disk does. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+');
  const rubbish = Buffer.alloc(10 * PAGE_BYTES, 0xa5);
  writeSync(descriptor, rubbish, 0, rubbish.length, 20 * PAGE_BYTES);
  closeSync(descriptor);
}

testOnFile(
  'a damaged database: the start says what to run, and after it the service is there again',
  'a server has backups of its own',
  async () => {
    const { data, key } = await install();
    const backup = join(tempFolder(), 'backup.db');
    assert.equal((await run(['backup', backup, '--data', data])).code, 0);
    damage(dataFolder(data).databaseFile);

    const refused = await run(['start', '--port', '0', '--data', data]);
    assertRefused(refused, USAGE, /is damaged \(.*\)\..*"\.\/tributary restore FILE --force"/);

    const restored = await run(['restore', backup, '--force', '--data', data]);
    assert.equal(restored.code, 0, restored.stderr);
    const server = await startServer(data);
    assert.equal((await server.call('~/readyz')).status, 200);
    assert.equal((await server.call('/keys', { key })).status, 200);
    await server.stop();
  },
);
