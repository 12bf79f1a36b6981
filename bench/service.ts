import { fork, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Store } from './engine.ts';
import type { LoadResult } from './load.ts';
import { options } from './options.ts';
import type { Recorded } from './recorded.ts';

export interface Running {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
/** Each read starts bare servers and bare drivers: with compiled modules, in half the time. */
const compiled = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
};

/**
 * The environment of the service, with the database of the store instead of the benchmark's own
 * DATABASE_URL.
 */
export function environmentOf({ databaseUrl }: Store): NodeJS.ProcessEnv {
  const { DATABASE_URL: _ofTheBench, ...environment } = process.env;
  return databaseUrl === '' ? environment : { ...environment, DATABASE_URL: databaseUrl };
}

/** Starts the service as its users do. */
export async function startService(
  store: Store,
  variables: Record<string, string> = {},
): Promise<Running> {
  const profiling = options.profile
    ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, '--cpu-prof-interval=200']
    : [];
  const flags = ['--data', store.data, '--log-level', 'warn', '--tls', 'off', '--port', '0'];
  const child = spawn(
    process.execPath,
    [...profiling, 'bin/tributary.js', 'start', ...flags, '--trusted-proxies', '127.0.0.1'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: join(import.meta.dirname, '..'),
      env: { ...environmentOf(store), ...variables },
    },
  );
  // Registered now, so that it ends with the benchmark even while it starts.
  children.add(child);
  const port = await new Promise<number>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const match = /running at http:\/\/localhost:(\d+)/.exec(printed);
      if (match) resolve(Number(match[1]));
    });
    child.once('exit', () => reject(new Error('The service did not start')));
  });
  return running(child, port);
}

/** Starts a bare server that sends these bytes. */
export async function startFloor(answer: object): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'floor.ts'), {
    env: { ...process.env, ...compiled },
  });
  child.send(answer);
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number })),
  );
  return running(child, port);
}

export interface BareReader {
  readonly pid: number;
  /** Repeats the statements with this concurrency for `ms`. */
  read(atOnce: number, ms: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** Starts the driver alone with these statements. */
export function startBareReader(store: Store, reads: readonly Recorded[]): BareReader {
  const child = fork(join(import.meta.dirname, 'bare-reads.ts'), {
    env: { ...process.env, ...compiled },
  });
  const { pid, stop } = running(child, 0);
  child.send({ databaseUrl: store.databaseUrl, data: store.data, reads });
  return {
    pid,
    stop,
    read(atOnce, ms) {
      child.send({ atOnce, ms });
      return new Promise((resolve, reject) => {
        child.once('message', (result) => resolve(result as LoadResult));
        child.once('exit', () => reject(new Error('The bare driver failed')));
      });
    },
  };
}

function running(child: ChildProcess, port: number): Running {
  children.add(child);
  return {
    port,
    pid: child.pid!,
    async stop() {
      children.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Ends processes that still run when the benchmark ends early. */
export function killAll(): void {
  for (const child of children) child.kill('SIGTERM');
  children.clear();
}
