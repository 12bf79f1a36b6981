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

/** The `node` that a shell outside the project finds. */
function systemNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
}

/** The machine's Node if it is an old one; otherwise the current one with a false version. */
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
  test('the program uses no syntax newer than ES2020 and top-level await', () => {
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
    // tsc would rewrite newer syntax for the older target.
    assert.equal(compiledFor('es2020'), compiledFor('esnext'));
  });

  test('the program hands over to the Node that npm ci installed', async () => {
    const version = await run(['--version'], { node, ownGroup: true });
    assert.equal(version.code, 0, version.stderr);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(version.stderr, '', 'without a warning');
  });

  test('exit codes and arguments are passed on', async () => {
    const refused = await run(['keys', 'creat e', '--json'], { node, ownGroup: true });
    assert.equal(refused.code, USAGE);
    assert.match(refused.stderr, /unknown command 'creat e'/);
  });

  test('SIGTERM is passed on, and the service shuts down cleanly', async () => {
    const server = await startServer(tempFolder(), [], { node, ownGroup: true });
    assert.equal((await server.call('~/healthz')).status, 200);
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    await assert.rejects(server.call('~/healthz'), { code: 'ECONNREFUSED' });
    assert.match(server.output.stderr, /"shutting down:/);
  });

  test('Ctrl+C, which every process of the terminal receives, shuts it down cleanly', async () => {
    const server = await startServer(tempFolder(), [], { node, ownGroup: true });
    assert.equal((await server.call('~/healthz')).status, 200);
    const exit = ended(server.child);
    process.kill(-server.child.pid!, 'SIGINT');
    assert.deepEqual(await inTheEnd(exit, 'the end'), { code: 0, signal: null });
    await assert.rejects(server.call('~/healthz'), { code: 'ECONNREFUSED' });
  });

  for (const [where, folders, advice] of [
    ['in a checkout before npm ci', ['bin', 'src'], 'Run "npm ci", which fetches the right one'],
    ['in an installed package', ['bin', 'dist'], 'Update Node.'],
  ] as const) {
    test(`${where} the program says what to do`, async () => {
      const root = tempFolder();
      for (const folder of folders) mkdirSync(join(root, folder));
      const copy = join(root, 'bin', 'tributary.js');
      copyFileSync(program, copy);
      writeFileSync(join(root, 'package.json'), '{"type":"module"}');
      const result = await run(['start'], { node, program: copy });
      assert.equal(result.code, 1);
      assert.match(result.stderr, /^Tributary needs Node 24 or later; this is v/);
      assert.ok(result.stderr.includes(advice), result.stderr);
      assert.equal(result.stdout, '');
    });
  }
});
