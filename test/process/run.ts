import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'node:test';
import { importableOf } from '../support/bundles.ts';
import type { Commands, Result } from './command-runner.ts';
import { copyDatabaseFor, databaseVariables } from './installation-database.ts';
import { copyFolder, installedBefore, storeSettings } from './installed.ts';
import {
  collect,
  ended,
  launch,
  launchNode,
  tempFolder,
  inTheEnd,
  type ProcessOptions,
} from './launch.ts';

/** Exit codes, as scripts know them. */
export const USAGE = 2;
export const NOT_FOUND = 3;
export const REFUSED = 4;

export type { Result };

/** Runs a command to its end, in an empty folder unless `cwd` is given. */
export async function run(args: string[], options: ProcessOptions = {}): Promise<Result> {
  const child = await launch(args, options);
  const output = collect(child);
  const { code } = await inTheEnd(ended(child), `tributary ${args.join(' ')}`);
  return { code, ...output };
}

/** The process of this test file that runs commands, and how it ends if it does. */
let runner: { child: ChildProcess; end: Promise<never> } | undefined;
let last: Promise<unknown> = Promise.resolve();
// It was killed with all others; its processor time counts when it has ended.
after(() => runner && ended(runner.child));

/**
 * Runs many commands one after the other in one process, which later calls use again, because loading takes most of the
 * time. For commands that need no separate process, such as refusals and help texts.
 */
export async function runEach(
  commands: { args: string[]; env?: Record<string, string> }[],
  { cwd = tempFolder(), env = {} }: Pick<ProcessOptions, 'cwd' | 'env'> = {},
): Promise<Result[]> {
  const all = await Promise.all(
    commands.map(async (command) => ({
      args: command.args,
      env: { ...(await databaseVariables(command.args, cwd)), ...env, ...command.env },
    })),
  );
  const results = last.then(() => ask({ commands: all, cwd }));
  last = results.catch(() => {});
  return results;
}

async function ask(message: Commands): Promise<Result[]> {
  const { child, end } = (runner ??= startRunner());
  const answer = once(child, 'message') as Promise<[Result[]]>;
  child.send(message);
  const [results] = await inTheEnd(Promise.race([answer, end]), 'running commands');
  return results;
}

function startRunner() {
  const script = join(import.meta.dirname, 'command-runner.ts');
  const child = launchNode([process.execPath, script, importableOf('src/cli/program.ts')], {
    channel: true,
  });
  const end = ended(child).then(({ code }): never => {
    throw new Error(`the process that runs commands ended with ${code}`);
  });
  // Also when it is killed after the tests, and no command waits.
  end.catch(() => {});
  return { child, end };
}

/** Runs one command to its end in a process that others use too, see `runEach`. */
export async function runHere(
  args: string[],
  options: Pick<ProcessOptions, 'cwd' | 'env'> = {},
): Promise<Result> {
  const [result] = await runEach([{ args }], options);
  return result!;
}

/** Runs a command that must succeed, and reads the JSON it prints; with options, in a process of its own. */
export async function runJson<T = any>(args: string[], options?: ProcessOptions): Promise<T> {
  const all = [...args, '--json'];
  const result = options ? await run(all, options) : await runHere(all);
  assert.equal(result.code, 0, `tributary ${args.join(' ')}: ${result.stderr}`);
  return JSON.parse(result.stdout) as T;
}

/** A data folder with an administrator `admin`, and a key of it that may do everything. */
export async function install(settings: Record<string, unknown> = {}) {
  const data = join(tempFolder(), 'data');
  const installed = installedBefore();
  if (!installed) return { data, key: await installBy(data, settings) };
  copyFolder(installed, data);
  const url = installed.template && (await copyDatabaseFor(data, installed.template));
  await storeSettings(data, url, settings);
  return { data, key: installed.key };
}

/** Makes an installation as its owner does: takes as long as a start. Returns the key. */
export async function installBy(
  data: string,
  settings: Record<string, unknown>,
  env: Record<string, string> = {},
): Promise<string> {
  const commands = [
    ['admin', 'create', '--login', 'admin', '--email', 'admin@test.example'],
    ['keys', 'create', '--user', 'admin', '--scopes', 'read,write,manage'],
    ...Object.entries(settings).map(([name, value]) => ['settings', 'set', name, String(value)]),
  ];
  const results = await runEach(
    commands.map((args) => ({ args: [...args, '--data', data, '--json'], env })),
  );
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  return (JSON.parse(results[1]!.stdout) as { token: string }).token;
}

export function createKey(data: string, user: string, scopes: string) {
  const args = ['keys', 'create', '--user', user, '--scopes', scopes, '--data', data];
  return runJson<{ id: number; token: string }>(args);
}

/** A refusal: its exit code, nothing on standard output, and words instead of a stack trace. */
export function assertRefused(result: Result, code: number, words: RegExp): void {
  assert.equal(result.code, code, result.stderr);
  assert.match(result.stderr, words);
  assert.doesNotMatch(result.stderr, /^\s+at .*:\d+/m, 'no stack trace');
  assert.equal(result.stdout, '');
}
