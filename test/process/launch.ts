import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import { databaseVariables, dropDatabases } from './installation-database.ts';

export const program = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));

export interface ProcessOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Another Node with its flags. */
  node?: string[];
  /** Another copy of the program. */
  program?: string;
  /** Starts a process group, as a terminal does. The test ends the whole group. */
  ownGroup?: boolean;
  /** Messages instead of output that is read. */
  channel?: boolean;
}

const killers: (() => unknown)[] = [];
const folders: string[] = [];

// Ends processes that a test leaves running, then removes their folders.
after(async () => {
  killers.forEach((kill) => kill());
  await dropDatabases();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.on('exit', () => {
  for (const kill of killers) kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates a folder that is removed after the tests. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-process-'));
  folders.push(folder);
  return folder;
}

/** Shared by all tests: it saves a third of the start of a command. */
const COMPILE_CACHE =
  process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'tributary-test-compile-cache');

/**
 * Starts a command on the database of its data folder; in an empty folder unless `cwd` is given.
 */
export async function launch(args: string[], options: ProcessOptions = {}): Promise<ChildProcess> {
  const node = options.node ?? [process.execPath];
  const cwd = options.cwd ?? tempFolder();
  const env = { ...(await databaseVariables(args, cwd)), ...options.env };
  return launchNode([...node, options.program ?? program, ...args], { ...options, cwd, env });
}

export function launchNode([node, ...args]: string[], options: ProcessOptions): ChildProcess {
  const child = spawn(node!, args, {
    cwd: options.cwd ?? tempFolder(),
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.env },
    stdio: options.channel ? ['ignore', 'ignore', 'inherit', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
  });
  killers.push(() => (options.ownGroup ? killGroup(child.pid!) : child.kill('SIGKILL')));
  return child;
}

/** Also ends the rest of a group whose first process has ended. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TRIBUTARY_|NODE_TEST|DATABASE_URL$|REDIS_URL$)/.test(name),
  );
  return Object.fromEntries(kept);
}

export function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return output;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Resolves when the process has ended, also if it already has. */
export function ended(child: ChildProcess): Promise<Exit> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) {
    return Promise.resolve({ code: exitCode, signal: signalCode });
  }
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
}

/** Rejects with the name of what never happened, after a very long time. */
export async function inTheEnd<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`${what}: not done within ${SAFETY_NET_MS} ms`));
    timer = setTimeout(fail, SAFETY_NET_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
