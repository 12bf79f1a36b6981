import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { collect, launchNode, tempFolder } from './launch.ts';
import { startServer } from './running-server.ts';

const project = join(import.meta.dirname, '../..');

describe('the components', () => {
  test('npm run dev prints its address, and serves them there', async () => {
    const port = await freePort();
    const flags = ['--data', join(tempFolder(), 'data'), '--port', String(port)];
    const command = ['npm', 'run', 'dev', '--', ...flags];
    const child = launchNode(command, { cwd: project, ownGroup: true });
    const output = collect(child);
    const address = `http://localhost:${port}/dev/components`;
    await eventually(() => {
      assert.equal(child.exitCode, null, output.stderr);
      assert.ok(output.stdout.includes(address), output.stdout + output.stderr);
    });
    for (const path of ['', '/light', '/dark']) {
      const response = await fetch(address + path);
      assert.equal(response.status, 200, path);
      assert.match(await response.text(), /<title>Components<\/title>/);
    }
    const script = await fetch(`http://localhost:${port}/dev/components.js`);
    assert.equal(script.status, 200);
    await script.body?.cancel();
  });

  test('are no part of the service', async () => {
    const server = await startServer(tempFolder());
    for (const path of ['~/dev/components', '~/dev/components.js', '~/dev/changes']) {
      assert.equal((await server.call(path)).status, 404, path);
    }
  });
});
