import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HeapSpaceInfo } from 'node:v8';
import { eventually } from '../support/eventually.ts';
import { tempFolder } from './launch.ts';
import { startServer } from './running-server.ts';

const YOUNG_MAX_BYTES = 16_000_000;

interface State {
  readonly modules: readonly string[];
  readonly spaces: readonly HeapSpaceInfo[];
}

test('a service that has just started has a small young generation, and not loaded what it does not need', async () => {
  const folder = tempFolder();
  const file = join(folder, 'state.json');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('SIGUSR2', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify({
      modules: process.moduleLoadList, spaces: require('node:v8').getHeapSpaceStatistics() })));`,
  );
  const server = await startServer(tempFolder(), ['--tls', 'off'], {
    env: { NODE_OPTIONS: `--require ${hook}` },
  });
  server.child.kill('SIGUSR2');
  const { modules, spaces }: State = await eventually(() => JSON.parse(readFileSync(file, 'utf8')));
  const young = spaces.find(({ space_name }) => space_name === 'new_space')!;
  assert.ok(young.space_size < YOUNG_MAX_BYTES, `${young.space_size} bytes`);
  assert.ok(modules.some((name) => name.endsWith(' http')));
  assert.deepEqual(
    modules.filter((name) => name.includes('undici')),
    [],
  );
  await server.stop();
});
