import { fork, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { options } from './options.ts';

export interface Running {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();

/** The service as it is run, on data of its own. */
export async function startService(data: string): Promise<Running> {
  const profiling = options.profile
    ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, '--cpu-prof-interval=200']
    : [];
  const flags = ['--data', data, '--log-level', 'warn', '--tls', 'off', '--port', '0'];
  const child = spawn(
    process.execPath,
    [...profiling, 'bin/tributary.js', 'start', ...flags, '--trusted-proxies', '127.0.0.1'],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: join(import.meta.dirname, '..') },
  );
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

/** A bare server that answers these bytes. */
export async function startFloor(answer: object): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'floor.ts'));
  child.send(answer);
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number })),
  );
  return running(child, port);
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

/** Whatever still runs when the bench ends early. */
export function killAll(): void {
  for (const child of children) child.kill('SIGTERM');
}

/** CPU time of a process, user and system; NaN where the system does not tell. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Memory of a process in MB; NaN where the system does not tell. */
export function memoryMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Looks at the memory of a process again and again; the answer is the most it had. */
export function watchMemory(pid: number): () => number {
  let most = memoryMb(pid);
  const timer = setInterval(() => (most = Math.max(most, memoryMb(pid))), 20);
  return () => {
    clearInterval(timer);
    return Math.max(most, memoryMb(pid));
  };
}
