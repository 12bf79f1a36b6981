import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BROWSER_VARIABLE, findBrowser } from '../test/browser/program.ts';
import { BUNDLES_VARIABLE } from '../test/bundles.ts';
import { browserTestFiles } from '../test/browser/test-files.ts';
import type { Program } from '../test/debian-packages.ts';
import { LOGS_VARIABLE } from '../test/stored-logs.ts';
import { onServer, SERVER_VARIABLE, TEMPLATE_VARIABLE } from '../test/postgres/databases.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { makeTemplate } from '../test/postgres/template.ts';
import { reasonFor, testFiles } from '../test/postgres/test-files.ts';
import {
  findRedisProgram,
  PROGRAM_VARIABLE,
  REDIS_VARIABLE,
  startRedis,
} from '../test/redis/server.ts';
import { ownServerOnly, redisTestFiles } from '../test/redis/test-files.ts';
import { bundleTests, outdir } from './bundle-tests.ts';

// npm test                      everything on SQLite, beside it what opens the service on PostgreSQL, then what is
//                               shared between instances on PostgreSQL with Redis; their output comes at the end
// npm test -- FILE…             these files, on all three, from their sources; all files run from bundles
// npm test -- --only=postgres   one of the three: sqlite, postgres, redis
//
// TEST_NOW=2026-12-31T23:59:59Z npm test …   the clocks of the services under test begin there
// TEST_SEED=2 npm test …                     other random inputs for property tests than usual
//
// After a failure the report and what the services have logged are kept; the end of the output says where.
//
// PostgreSQL is the server of DATABASE_URL, where databases are made and dropped, or a private one.
// Redis is that of REDIS_URL, where keys of an installation of its own are made, or a private one.

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];

const { DATABASE_URL: givenServer, REDIS_URL: givenRedis, ...given } = process.env;
/** A process spends a third of its start on compiling shared imports. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled');
/** Not a speed limit: it names a test that never ends. */
const TEST_MS_MAX = 30 * 60_000;
const KEPT = join(import.meta.dirname, '../node_modules/.cache/failed-tests');
/** More than cores, because tests that start processes mostly wait. */
const FILES_AT_ONCE = availableParallelism() + 1;
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7);
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const environment = {
  NODE_COMPILE_CACHE,
  ...given,
  ...(files.length === 0 && { [BUNDLES_VARIABLE]: outdir }),
};

interface Result {
  name: string;
  passed: boolean;
  summary: string;
  /** The failed tests and the folder of their logs. */
  failures: string[];
}

// Tests that start the program test what its users run.
execFileSync(process.execPath, [join(import.meta.dirname, 'build.js')], { stdio: 'inherit' });

const entriesFor =
  files.length === 0 ? await bundleTests(EVERYTHING) : (chosen: readonly string[]) => chosen;

const notRun: string[] = [];
const results = (
  await Promise.all([
    only === undefined || only === 'sqlite' ? testOnSqlite() : [],
    only === 'sqlite' ? [] : testOnPostgres(),
  ])
).flat();

for (const line of notRun) console.log(line);
console.log();
for (const { name, summary, failures } of results) {
  console.log(`${name.padEnd(12)}${summary}`);
  for (const line of failures) console.log(`  ${line}`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

/** Finds or unpacks the browser before the tests, so that test files do not do it concurrently. */
function browserVariable(): NodeJS.ProcessEnv {
  const needing = among(browserTestFiles());
  if (needing.length === 0) return {};
  const found = findBrowser();
  if ('missing' in found) {
    notRun.push(
      `\nNOT TESTED IN A BROWSER: ${found.missing}.`,
      'Install chromium. Not run:',
      ...needing.map((file) => `  ${file}`),
    );
  }
  return { [BROWSER_VARIABLE]: JSON.stringify(found) };
}

async function testOnSqlite(): Promise<Result[]> {
  const env = { ...environment, ...browserVariable() };
  return [await runTests('SQLite', files.length > 0 ? files : globSync(EVERYTHING).sort(), env)];
}

async function testOnPostgres(): Promise<Result[]> {
  const { onServer: all, onFileOnly, without } = testFiles();
  const chosen = among(only === 'redis' ? [] : all);
  const withRedis = among(only === 'postgres' ? [] : redisTestFiles());
  if (chosen.length + withRedis.length === 0) return [];
  const server = givenServer
    ? { url: givenServer, stop: async () => {} }
    : await startPrivateServer();
  const template = `tributary_template_${randomBytes(4).toString('hex')}`;
  try {
    await makeTemplate(server.url, template);
    const variables = { [SERVER_VARIABLE]: server.url, [TEMPLATE_VARIABLE]: template };
    const env = { ...environment, ...variables };
    if (files.length === 0 && chosen.length > 0) {
      notRun.push(`\nNot on PostgreSQL: ${without.length} files that open no database, and`);
      for (const file of onFileOnly) notRun.push(`  ${file}: ${reasonFor(file)}`);
    }
    return [
      ...(chosen.length > 0 ? [await runTests('PostgreSQL', chosen, env)] : []),
      ...(withRedis.length > 0 ? await testWithRedis(withRedis, env) : []),
    ];
  } finally {
    await onServer(server.url, `drop database if exists ${template} with (force)`).catch(() => {});
    await server.stop();
  }
}

async function testWithRedis(chosen: string[], env: NodeJS.ProcessEnv): Promise<Result[]> {
  let program: Program | undefined;
  try {
    program = findRedisProgram();
  } catch (error) {
    notRun.push(
      `\nNOT TESTED WITH A REDIS OF OUR OWN: ${(error as Error).message}.`,
      'Install redis-server or valkey-server. Not run:',
      ...chosen.filter((file) => !givenRedis || ownServerOnly(file)).map((file) => `  ${file}`),
    );
    if (!givenRedis) return [];
  }
  const redis = givenRedis ? { url: givenRedis, stop: async () => {} } : await startRedis(program!);
  const variables = {
    [REDIS_VARIABLE]: redis.url,
    ...(program && { [PROGRAM_VARIABLE]: JSON.stringify(program) }),
  };
  try {
    return [await runTests('Redis', chosen, { ...env, ...variables })];
  } finally {
    await redis.stop();
  }
}

function among(all: string[]): string[] {
  return files.length > 0 ? all.filter((file) => files.includes(file)) : all;
}

/** Runs the test runner once and returns its figures. Beside the tests on SQLite its output is shown at the end. */
async function runTests(name: string, what: string[], env: NodeJS.ProcessEnv): Promise<Result> {
  mkdirSync(KEPT, { recursive: true });
  const folder = mkdtempSync(join(KEPT, `${name}-`));
  const tap = join(folder, 'tap');
  const isBeside = only === undefined && name !== 'SQLite';
  const spec = isBeside ? join(folder, 'spec') : 'stdout';
  let isKept = false;
  if (!isBeside) console.log(`\n${name}\n`);
  const reporters = [
    ['spec', spec],
    ['tap', tap],
  ].flatMap(([kind, to]) => [`--test-reporter=${kind}`, `--test-reporter-destination=${to}`]);
  try {
    const child = spawn(
      process.execPath,
      [
        '--test',
        `--test-concurrency=${FILES_AT_ONCE}`,
        `--test-timeout=${TEST_MS_MAX}`,
        ...reporters,
        ...entriesFor(what, name),
      ],
      { env: { ...env, [LOGS_VARIABLE]: folder }, stdio: 'inherit' },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    if (isBeside) console.log(`\n${name}\n\n${readFileSync(spec, 'utf8')}`);
    const report = readFileSync(tap, 'utf8');
    const passed = code === 0;
    const [load] = loadavg();
    const kept = `Kept in ${folder}; the load of the machine was ${load!.toFixed(1)} at the end.`;
    isKept = !passed;
    const failures = passed ? [] : [...failuresOf(report), kept];
    return { name, passed, summary: figuresOf(report), failures };
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}

/** Name and location of every failed test, without suites that failed because of it. */
function failuresOf(tap: string): string[] {
  return [...tap.matchAll(/^ *not ok \d+ - (.+)\n( *---\n[^]*?\n *\.\.\.)/gm)]
    .filter(([, , details]) => !details!.includes("failureType: 'subtestsFailed'"))
    .map(([, name, details]) => `${name} (${/location: '([^']+)'/.exec(details!)?.[1] ?? '?'})`);
}

/** `# pass 12` and its like, the last lines of the report. */
function figuresOf(tap: string): string {
  const figure = (of: string) => new RegExp(`^# ${of} (.+)$`, 'm').exec(tap)?.[1] ?? '?';
  const seconds = (Number(figure('duration_ms')) / 1000).toFixed(1);
  const counts = ['tests', 'pass', 'fail', 'cancelled', 'skipped'];
  return `${counts.map((of) => `${of} ${figure(of)}`).join('  ')}  in ${seconds} s`;
}
