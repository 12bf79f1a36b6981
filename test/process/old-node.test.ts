import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ended, program, tempFolder, inTheEnd } from './launch.ts';
import { run, USAGE } from './run.ts';
import { startServer } from './running-server.ts';

const NODE_MAJOR_MIN = 24;

/** The `node` that a shell outside of the project finds. */
function systemNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
}

/** The machine's Node where it is an old one; otherwise this one, which takes itself for one. */
function oldNode(): string[] {
  const system = systemNode();
  if (system !== undefined) {
    const version = execFileSync(system, ['--version'], { encoding: 'utf8' });
    if (Number(/\d+/.exec(version)![0]) < NODE_MAJOR_MIN) return [system];
  }
  const pretend = 'Object.defineProperty(process,"versions",{value:{node:"20.0.0"}})';
  return [process.execPath, '--import', `data:text/javascript,${pretend}`];
}

const node = oldNode();

describe('with an old Node', () => {
  test('the program has no syntax that is younger than ES2020 and top-level await', () => {
    const folder = tempFolder();
    const file = join(folder, 'tributary.js');
    copyFileSync(program, file);
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const compiledFor = (target: string) => {
      const flags = '--ignoreConfig --allowJs --noCheck --noResolve --module esnext'.split(' ');
      const outDir = join(folder, target);
      execFileSync(process.execPath, [tsc, ...flags, '--target', target, '--outDir', outDir, file]);
      return readFileSync(join(outDir, 'tributary.js'), 'utf8');
    };
    // What is younger would be rewritten for the older one.
    assert.equal(compiledFor('es2020'), compiledFor('esnext'));
  });

  test('it hands over to the Node that the checkout brings', async () => {
    const version = await run(['--version'], { node, ownGroup: true });
    assert.equal(version.code, 0, version.stderr);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(version.stderr, '', 'without a warning');
  });

  test('exit codes and arguments come through', async () => {
    const refused = await run(['keys', 'creat e', '--json'], { node, ownGroup: true });
    assert.equal(refused.code, USAGE);
    assert.match(refused.stderr, /unknown command 'creat e'/);
  });

  test('SIGTERM comes through, and the service stops as it should', async () => {
    const server = await startServer(tempFolder(), [], { node, ownGroup: true });
    assert.equal((await server.call('~/healthz')).status, 200);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    await assert.rejects(server.call('~/healthz'), { code: 'ECONNREFUSED' });
    assert.match(server.output.stderr, /"stopping:/);
  });

  test('Ctrl+C, which every process of the terminal gets, stops it as it should', async () => {
    const server = await startServer(tempFolder(), [], { node, ownGroup: true });
    assert.equal((await server.call('~/healthz')).status, 200);
    const exit = ended(server.child);
    process.kill(-server.child.pid!, 'SIGINT');
    assert.deepEqual(await inTheEnd(exit, 'the end'), { code: 0, signal: null });
    await assert.rejects(server.call('~/healthz'), { code: 'ECONNREFUSED' });
  });

  test('before npm ci it says what to do', async () => {
    const checkout = tempFolder();
    mkdirSync(join(checkout, 'bin'));
    const copy = join(checkout, 'bin', 'tributary.js');
    copyFileSync(program, copy);
    writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
    const result = await run(['start'], { node, program: copy });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /^Tributary needs Node 24 or later; .*npm ci/);
    assert.equal(result.stdout, '');
  });
});
