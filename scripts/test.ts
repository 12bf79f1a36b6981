import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BROWSER_VARIABLE, findBrowser } from '../test/browser/program.ts';
import { browserTestFiles } from '../test/browser/test-files.ts';
import {
  COPIES_FILES_VARIABLE,
  onServer,
  SERVER_VARIABLE,
  TEMPLATE_FILE_VARIABLE,
  TEMPLATE_VARIABLE,
} from '../test/postgres/databases.ts';
import { repeats } from '../test/postgres/repeats.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { makeInstallation, makeTemplate, makeTemplateFile } from '../test/postgres/template.ts';
import { reasonFor, serverOnly, testFiles } from '../test/postgres/test-files.ts';
import { INSTALLED_VARIABLE } from '../test/process/installed.ts';
import {
  findRedisProgram,
  PROGRAM_VARIABLE,
  REDIS_VARIABLE,
  startRedis,
} from '../test/redis/server.ts';
import {
  ownServerOnly,
  redisOnly,
  redisTestFiles,
  repeatedWithRedis,
} from '../test/redis/test-files.ts';
import { longHistories, runOf, type Database } from '../test/runs.ts';
import { BUNDLES_VARIABLE } from '../test/support/bundles.ts';
import type { Program } from '../test/support/debian-packages.ts';
import { suspicionFiles, suspicions, SUSPICION_VARIABLE } from '../test/suspicion/test-files.ts';
import { bundleTests, outdir } from './bundle-tests.ts';
import { processorSeconds } from './processor-seconds.js';
import { changedTests } from './test-changed.ts';
import {
  describeFailure,
  isOnFile,
  partOf,
  readDurations,
  slowestFirst,
  writeDurations,
  type Job,
} from './test-jobs.ts';
import { Run } from './test-run.ts';
import { ensureTools } from './tools.js';

// npm test                      what a change waits for: test/runs.ts says which files, on which database, and why
// npm run test:all              everything: on SQLite, on PostgreSQL, and what instances share on PostgreSQL with Redis
// npm run test:all -- --rest    what npm test leaves
// npm run test:all -- --list    names the files of each run, with the reasons
// npm run test:all -- --long    the models and random histories once more, with hundreds of times as many commands
// npm test -- FILE…             these files, or those of these folders, on all three, from their sources; all files run from bundles
// npm test -- --only=postgres   one of the three: sqlite, postgres, redis
// npm test -- --only=held       tests of the v2 API where all commission is in review; noted: where all is in cases
// npm test -- --part=1/3        a third of the run, for a forge that runs the parts side by side
// npm test -- --record          writes how long the slow files take, by which runs and parts are planned
// npm run test:changed          on SQLite, the files that import what is changed; --changed=main names a base
//
// TEST_NOW=2026-12-31T23:59:59Z npm test …   the clocks of the services under test begin there
// TEST_SEED=2 npm test …                     other random inputs for property tests than usual
//
// After a failure the report and what the services have logged are kept; the end of the output says where.
//
// PostgreSQL is the server of DATABASE_URL, where databases are made and dropped, or a private one.
// Redis is that of REDIS_URL, where keys of an installation of its own are made, or a private one.

const EVERYTHING = ['{src,addons,test,examples}/**/*.test.ts'];
/** More than cores, because tests that start processes mostly wait. */
const JOBS_AT_ONCE = availableParallelism() + 2;
const SLOWEST = 10;

const { DATABASE_URL: givenServer, REDIS_URL: givenRedis, ...given } = process.env;
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const flag = (name: string) =>
  flags.find((argument) => argument.split('=')[0] === name)?.slice(name.length + 1);
const only = flag('--only');
const everything = globSync(EVERYTHING).sort();
const named = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))
  .flatMap(testsOf);
const files = flag('--changed') === undefined ? named : changedTests(everything, flag('--changed'));
const isWhole = files.length === 0;
/** The runs that this one consists of. */
const runs =
  flag('--rest') !== undefined
    ? ['test:all']
    : flag('--all') !== undefined
      ? ['test', 'test:all']
      : ['test'];
const environment: NodeJS.ProcessEnv = {
  // A process spends a third of its start on compiling shared imports.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
  ...given,
};
const notRun: string[] = [];
const environments: Record<string, NodeJS.ProcessEnv> = {};
const durations = readDurations();
const stops: (() => Promise<void>)[] = [];

if (flag('--changed') !== undefined && isWhole) process.exit(0);
if (flag('--long') !== undefined) {
  ensureTools();
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=spec', ...longHistories.files],
    { env: { ...process.env, ...longHistories.environment }, stdio: 'inherit' },
  );
  process.exit(status ?? 1);
}
const wanted = chooseFiles();
if (flag('--list') !== undefined) {
  const lines = wanted.flatMap(([database, some]) =>
    some.map((file) => {
      const { run, reason } = runOf(file, database);
      return `${database.padEnd(12)}npm run ${run.padEnd(10)}${file}: ${reason}\n`;
    }),
  );
  await new Promise((resolve) => process.stdout.write(lines.join(''), resolve));
  process.exit(0);
}
ensureTools();
// Tests that start the program test what its users run.
execFileSync(process.execPath, [join(import.meta.dirname, 'build.js')], { stdio: 'inherit' });
const run = new Run(environments, { showsTests: named.length > 0 });
try {
  const jobs = await plan();
  await prepareSqlite(jobs);
  await startServers(jobs);
  await run.all(slowestFirst(jobs, durations), JOBS_AT_ONCE);
} finally {
  for (const stop of stops.toReversed()) await stop();
}
printResults();
process.exitCode = run.failures.length === 0 ? 0 : 1;

/** The test files of a folder, or the named file. */
function testsOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const folder = `${path.replace(/\/$/, '')}/`;
  const found = everything.filter((file) => file.startsWith(folder));
  if (found.length === 0) throw new Error(`${path} has no tests`);
  return found;
}

/** The files that run, on which database. */
function chooseFiles(): [Database, string[]][] {
  const { onServer: onPostgres, onFileOnly, without } = testFiles();
  const belonging: [Database, string[]][] = [
    ['SQLite', everything.filter((file) => !serverOnly.includes(file))],
    ['PostgreSQL', onPostgres.filter((file) => !redisOnly.includes(file) && !isRepeat(file))],
    ['Redis', redisTestFiles()],
    ...suspicions.map((name): [Database, string[]] => [name, suspicionFiles(name)]),
  ];
  const isWanted = (file: string, database: Database) =>
    isWhole ? runs.includes(runOf(file, database).run) : files.includes(file);
  const asksForPostgres = only === undefined || only.startsWith('postgres');
  if (isWhole && runs.includes('test:all') && asksForPostgres) {
    notRun.push(`\nNot on PostgreSQL: ${without.length} files that open no database, and`);
    for (const file of onFileOnly) notRun.push(`  ${file}: ${reasonFor(file)}`);
    notRun.push(
      `  and ${repeats.size} that repeat there what others do (test/postgres/repeats.ts)`,
    );
  }
  return belonging
    .filter(([database]) => only === undefined || database.toLowerCase().startsWith(only))
    .map(([database, all]) => [database, all.filter((file) => isWanted(file, database))]);
}

/** Which processes run them. */
async function plan(): Promise<Job[]> {
  let jobsFor = (of: readonly string[], database: string): Job[] =>
    of.map((file) => ({ database, files: [file], entry: file }));
  if (named.length === 0) {
    environment[BUNDLES_VARIABLE] = outdir;
    const all = [...new Set(wanted.flatMap(([, some]) => some))].sort();
    jobsFor = await bundleTests(all, durations);
  }
  const jobs = wanted.flatMap(([database, some]) => jobsFor(some, database));
  const [part, count] = (flag('--part') ?? '1/1').split('/').map(Number);
  return partOf(jobs, part!, count!, durations);
}

/** Whether a run of everything has the same on PostgreSQL already. */
function isRepeat(file: string): boolean {
  if (!isWhole) return false;
  return repeats.has(file) || (only === undefined && repeatedWithRedis(file));
}

function printResults(): void {
  for (const line of notRun) console.log(line);
  const slowest = run.slowest().slice(0, SLOWEST);
  console.log('\nThe slowest files:');
  for (const { database, file, seconds } of slowest)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${database.padEnd(12)}${file}`);
  console.log(`\nThe most processor time, of ${processorSeconds().toFixed(0)} s in all:`);
  for (const { database, name, seconds } of run.busiest().slice(0, SLOWEST))
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${database.padEnd(12)}${name}`);
  if (run.failures.length > 0) {
    console.log('\nFailures:\n');
    for (const failure of run.failures) console.log(`${describeFailure(failure)}\n`);
    const [load] = loadavg();
    console.log(
      `Kept in ${run.folder}; the load of the machine was ${load!.toFixed(1)} at the end.`,
    );
  }
  console.log();
  for (const [name, summary] of run.summaries()) console.log(`${name.padEnd(12)}${summary}`);
  if (flag('--record') !== undefined) {
    for (const { database, file, seconds } of run.slowest())
      (durations[database] ??= {})[file] = seconds;
    writeDurations(durations);
  }
}

async function prepareSqlite(jobs: readonly Job[]): Promise<void> {
  if (!jobs.some(({ database }) => isOnFile(database))) return;
  const file = join(run.folder, 'template.db');
  await makeTemplateFile(file);
  const installed = await makeInstallation(join(run.folder, 'installed-on-file'), { file });
  environments['SQLite'] = {
    ...environment,
    ...browserVariable(jobs),
    [TEMPLATE_FILE_VARIABLE]: file,
    [INSTALLED_VARIABLE]: JSON.stringify(installed),
  };
  for (const name of suspicions) {
    environments[name] = { ...environments['SQLite'], [SUSPICION_VARIABLE]: name };
  }
}

/** Finds or unpacks the browser before the tests, so that test files do not do it concurrently. */
function browserVariable(jobs: readonly Job[]): NodeJS.ProcessEnv {
  const chosen = new Set(jobs.flatMap((job) => job.files));
  const needing = browserTestFiles().filter((file) => chosen.has(file));
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

/** Starts the servers that jobs need. */
async function startServers(jobs: readonly Job[]): Promise<void> {
  const filesOn = (database: string) =>
    jobs.filter((job) => job.database === database).flatMap((job) => job.files);
  const withRedis = filesOn('Redis');
  if (withRedis.length + filesOn('PostgreSQL').length === 0) return;
  const server = givenServer
    ? { url: givenServer, stop: async () => {} }
    : await startPrivateServer();
  stops.push(() => server.stop());
  const template = `tributary_template_${randomBytes(4).toString('hex')}`;
  const name = `${template}_installed`;
  stops.push(async () => {
    for (const one of [template, name]) {
      await onServer(server.url, `drop database if exists ${one} with (force)`).catch(() => {});
    }
  });
  await makeTemplate(server.url, template);
  const from = { server: server.url, template, name };
  const installed = await makeInstallation(join(run.folder, 'installed-on-server'), from);
  const variables = {
    [INSTALLED_VARIABLE]: JSON.stringify(installed),
    [SERVER_VARIABLE]: server.url,
    [TEMPLATE_VARIABLE]: template,
    ...(!givenServer && { [COPIES_FILES_VARIABLE]: '1' }),
  };
  environments['PostgreSQL'] = { ...environment, ...variables };
  if (withRedis.length === 0) return;
  const redis = await redisVariables(withRedis);
  if (redis !== undefined) environments['Redis'] = { ...environments['PostgreSQL'], ...redis };
}

async function redisVariables(chosen: readonly string[]): Promise<NodeJS.ProcessEnv | undefined> {
  let program: Program | undefined;
  try {
    program = findRedisProgram();
  } catch (error) {
    notRun.push(
      `\nNOT TESTED WITH A REDIS OF OUR OWN: ${(error as Error).message}.`,
      'Install redis-server or valkey-server. Not run:',
      ...chosen.filter((file) => !givenRedis || ownServerOnly(file)).map((file) => `  ${file}`),
    );
    if (!givenRedis) return undefined;
  }
  const redis = givenRedis ? { url: givenRedis, stop: async () => {} } : await startRedis(program!);
  stops.push(() => redis.stop());
  return {
    [REDIS_VARIABLE]: redis.url,
    ...(program && { [PROGRAM_VARIABLE]: JSON.stringify(program) }),
  };
}
