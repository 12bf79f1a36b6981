import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  findProgram,
  programEnvironment,
  type Program,
} from '../../../../test/support/debian-packages.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { freePort } from '../../../../test/support/free-port.ts';

const script = fileURLToPath(new URL('shop/shop.php', import.meta.url));

/** PHP of this machine, or Debian's; or why there is none, for `skip`. */
export function foundPhp(): { php?: Program; skip: string | false } {
  try {
    const php = findProgram({
      names: ['php'],
      debianPackage: 'php-cli',
      pathInPackage: /\/bin\/php[\d.]*$/,
    });
    runPhp(php, ['--version']);
    return { php, skip: false };
  } catch (error) {
    if (process.env['CI']) throw error;
    return { skip: `no PHP here: ${(error as Error).message}` };
  }
}

export function runPhp(php: Program, words: readonly string[]): string {
  const env = programEnvironment(php);
  const { status, stdout, stderr, error } = spawnSync(php.path, words, { env, encoding: 'utf8' });
  assert.equal(status, 0, `${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** Unpacks an archive with Python, into a folder that is removed after the tests. */
export function unpack(archive: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-plugin-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'plugin.zip'), archive);
  const python = findProgram({
    names: ['python3'],
    debianPackage: 'python3',
    pathInPackage: 'bin/python3',
  });
  const { status, stderr } = spawnSync(
    python.path,
    ['-m', 'zipfile', '-e', 'plugin.zip', 'unpacked'],
    { cwd: folder, env: programEnvironment(python), encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return join(folder, 'unpacked');
}

interface ShopOptions {
  /** The file of the plugin; none by default. */
  plugin?: string;
  /** A consent plugin asks each shopper first. */
  asks?: boolean;
  /** The address of `/t.js`, if the pages include it. */
  script?: string;
}

/** Starts a shop on `localhost`, run by PHP, whose pages do what WooCommerce was recorded to do. */
export async function startPhpShop(php: Program, options: ShopOptions = {}): Promise<string> {
  const port = await freePort();
  const child = spawn(php.path, ['-S', `127.0.0.1:${port}`, script], {
    env: {
      ...programEnvironment(php),
      PLUGIN: options.plugin ?? '',
      SHOP_ASKS: options.asks ? '1' : '',
      SHOP_SCRIPT: options.script ?? '',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  after(() => {
    child.kill();
  });
  await eventually(async () => {
    assert.equal(child.exitCode, null, said);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
      socket.on('error', reject);
    });
  });
  return `http://localhost:${port}`;
}
