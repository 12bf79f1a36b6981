import assert from 'node:assert/strict';
import { join } from 'node:path';
import { importableOf } from '../support/bundles.ts';
import { databaseVariables } from './installation-database.ts';
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

/** The result of a finished command. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end, in an empty folder unless `cwd` is given. */
export async function run(args: string[], options: ProcessOptions = {}): Promise<Result> {
  const child = await launch(args, options);
  const output = collect(child);
  const { code } = await inTheEnd(ended(child), `tributary ${args.join(' ')}`);
  return { code, ...output };
}

const EACH = `
  const { runCommandLine } = await import(process.argv[1]);
  const results = [];
  for (const { args, env = {} } of JSON.parse(process.argv[2])) {
    const result = { code: null, stdout: '', stderr: '' };
    const kept = [process.stdout.write, process.stderr.write];
    process.stdout.write = (text) => (result.stdout += text, true);
    process.stderr.write = (text) => (result.stderr += text, true);
    Object.assign(process.env, env);
    result.code = await runCommandLine(args);
    for (const name of Object.keys(env)) delete process.env[name];
    [process.stdout.write, process.stderr.write] = kept;
    results.push(result);
  }
  process.stdout.write(JSON.stringify(results));
`;

/**
 * Runs many commands one after the other in one process, because loading takes most of the time.
 * For commands that need no separate process, such as refusals and help texts.
 */
export async function runEach(
  commands: { args: string[]; env?: Record<string, string> }[],
  options: ProcessOptions = {},
): Promise<Result[]> {
  const entry = importableOf('src/cli/program.ts');
  const cwd = options.cwd ?? tempFolder();
  const all = await Promise.all(
    commands.map(async ({ args, env }) => ({
      args,
      env: { ...(await databaseVariables(args, cwd)), ...env },
    })),
  );
  const flags = ['--input-type=module', '-e', EACH, entry, JSON.stringify(all)];
  const child = launchNode([process.execPath, ...flags], { ...options, cwd });
  const output = collect(child);
  const { code } = await inTheEnd(ended(child), 'running commands');
  assert.equal(code, 0, output.stderr);
  return JSON.parse(output.stdout) as Result[];
}

/** Runs a command that must succeed, and reads the JSON it prints. */
export async function runJson<T = any>(args: string[], options: ProcessOptions = {}): Promise<T> {
  const result = await run([...args, '--json'], options);
  assert.equal(result.code, 0, `tributary ${args.join(' ')}: ${result.stderr}`);
  return JSON.parse(result.stdout) as T;
}

/** A data folder with an administrator `admin`, and a key of it that may do everything. */
export async function install(settings: Record<string, string> = {}) {
  const data = join(tempFolder(), 'data');
  const commands = [
    ['admin', 'create', '--login', 'admin', '--email', 'admin@test.example'],
    ['keys', 'create', '--user', 'admin', '--scopes', 'read,write,manage'],
    ...Object.entries(settings).map(([name, value]) => ['settings', 'set', name, value]),
  ];
  const results = await runEach(
    commands.map((args) => ({ args: [...args, '--data', data, '--json'] })),
  );
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  return { data, key: (JSON.parse(results[1]!.stdout) as { token: string }).token };
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
