// What "npm ci" does last: fetches a Node if that of the machine is too old, then builds the program.
// Plain JavaScript, because an old Node runs it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFrom, root } from './install.js';

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (Number(process.versions.node.split('.')[0]) < Number(/\d+/.exec(engines.node)[0])) fetchNode();
await import('./build.js');

/** npm puts node_modules/.bin before all other folders, so every script of package.json runs on it. */
function fetchNode() {
  console.error(`This is Node ${process.version}. Fetching a newer one into node_modules …`);
  const folder = join(root, 'node_modules/.node');
  installFrom(join(root, 'scripts/node'), folder);
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const brought = join(folder, 'node_modules/.bin/node');
  // A minimal Linux has no libatomic, which Node needs since version 25.
  if (process.platform === 'linux' && spawnSync(brought, ['--version']).status !== 0) {
    console.error('It does not start here without libatomic. Fetching Node 24 instead …');
    installFrom(join(root, 'scripts/node-24'), folder);
  }
  if (process.platform === 'win32') {
    writeFileSync(join(bin, 'node.cmd'), `@"${brought}.cmd" %*\r\n`);
    return;
  }
  rmSync(join(bin, 'node'), { force: true });
  symlinkSync(brought, join(bin, 'node'));
}
