import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { SAFETY_NET_MS } from '../eventually.ts';
import { freePort } from '../free-port.ts';

/** How `scripts/test.ts` tells the tests where Redis is; unset where they run without. */
export const REDIS_VARIABLE = 'TEST_REDIS_URL';
/** A program to start another one with, for what cannot be done to one that all tests share. */
export const PROGRAM_VARIABLE = 'TEST_REDIS_PROGRAM';

export const testRedis = (): string | undefined => process.env[REDIS_VARIABLE];

export function testRedisProgram(): RedisProgram | undefined {
  const found = process.env[PROGRAM_VARIABLE];
  return found === undefined ? undefined : (JSON.parse(found) as RedisProgram);
}

export interface RedisProgram {
  readonly path: string;
  /** Folders with the libraries it needs, where they are not the system's. */
  readonly libraries: readonly string[];
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/redis');

/** Redis or Valkey of this machine, else Debian's unpacked into a folder of our own. Throws with the reason. */
export function findRedisProgram(): RedisProgram {
  const found = ['redis-server', 'valkey-server']
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, name)))
    .find((path) => existsSync(path));
  if (found !== undefined) return { path: found, libraries: [] };
  return unpackedProgram(cache) ?? fetchProgram();
}

/** On loopback alone, on a free port; what it holds is never written. */
export async function startRedis(
  { path, libraries }: RedisProgram,
  ...more: string[]
): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn(path, [...settings, '--appendonly', 'no', ...more], {
    env: { ...process.env, ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }) },
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  }
  const stopNow = () => server.kill('SIGKILL');
  process.once('exit', stopNow);
  await untilReady(server, port, () => said);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      process.off('exit', stopNow);
      const isRunning = server.exitCode === null && server.signalCode === null;
      const ended = isRunning ? once(server, 'exit') : undefined;
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unpackedProgram(folder: string): RedisProgram | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const program = files.find((file) => file.endsWith('bin/redis-server'));
  if (program === undefined) return undefined;
  const libraries = files.filter((file) => /\/lib\/.*\.so[^/]*$/.test(file)).map(dirname);
  return {
    path: join(folder, program),
    libraries: [...new Set(libraries)].map((name) => join(folder, name)),
  };
}

/** With apt's own lists and downloads in a folder of ours: nothing is installed, and nobody need be root. */
function fetchProgram(): RedisProgram {
  const work = mkdtempSync(join(tmpdir(), 'tributary-apt-'));
  try {
    for (const folder of [
      'state/lists/partial',
      'cache/archives/partial',
      'packages',
      'unpacked',
    ]) {
      mkdirSync(join(work, folder), { recursive: true });
    }
    const settings = [
      `Dir::State=${work}/state`,
      `Dir::Cache=${work}/cache`,
      'Dir::State::status=/var/lib/dpkg/status',
      'Debug::NoLocking=1',
      'APT::Sandbox::User=',
    ].flatMap((setting) => ['-o', setting]);
    const packages = join(work, 'packages');
    const apt = (...words: string[]) => output('apt-get', ['-qq', ...settings, ...words], packages);
    apt('update');
    const plan = apt('--simulate', '--no-install-recommends', 'install', 'redis-server');
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!);
    apt('download', ...names);
    for (const file of readdirSync(packages)) {
      output('dpkg-deb', ['-x', file, join(work, 'unpacked')], packages);
    }
    mkdirSync(dirname(cache), { recursive: true });
    rmSync(cache, { recursive: true, force: true });
    moveFolder(join(work, 'unpacked'), cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const program = unpackedProgram(cache);
  if (!program) throw new Error('the packages of apt hold no redis-server');
  return program;
}

function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Another file system.
    output('cp', ['-R', from, to], tmpdir());
  }
}

function output(program: string, words: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
}

async function untilReady(server: ChildProcess, port: number, said: () => string): Promise<void> {
  const giveUpAt = performance.now() + SAFETY_NET_MS;
  for (;;) {
    const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
    client.on('error', () => {});
    try {
      await client.connect();
      client.destroy();
      return;
    } catch (error) {
      // With a password it answers by refusing.
      if (/NOAUTH|WRONGPASS/.test(String(error))) return;
      if (server.exitCode !== null || performance.now() > giveUpAt) {
        server.kill('SIGKILL');
        throw new Error(`Redis did not start: ${said()}`, { cause: error });
      }
    }
    await sleep(20);
  }
}
