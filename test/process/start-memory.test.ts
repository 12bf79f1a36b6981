import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { tempFolder } from './launch.ts';
import { startServer } from './running-server.ts';

const MB = 1_000_000;

test('a service that has just started has a small young generation', async () => {
  const file = join(tempFolder(), 'report.json');
  const server = await startServer(tempFolder(), ['--tls', 'off'], {
    env: { NODE_OPTIONS: `--report-on-signal --report-filename=${file}` },
  });
  server.child.kill('SIGUSR2');
  const { javascriptHeap } = await eventually(() => JSON.parse(readFileSync(file, 'utf8')));
  const { committedMemory } = javascriptHeap.heapSpaces.new_space;
  assert.ok(committedMemory < 16 * MB, `${committedMemory} bytes`);
  await server.stop();
});
