import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../src/shared/version.ts';
import { addonParts } from './addon-parts.ts';
import { readBaseline, writeBaseline } from './baseline.ts';
import { measureBeside } from './beside.ts';
import { printClosing } from './closing.ts';
import type { Engine, Store } from './engine.ts';
import { measureFanOut } from './fan-out.ts';
import { measureFootprint } from './footprint.ts';
import { options } from './options.ts';
import { Parts } from './parts.ts';
import { findPgbench } from './pgbench.ts';
import { startPostgresEngine } from './postgres-engine.ts';
import { measureReads } from './reads.ts';
import { Collected, describeMachine, type Result } from './result.ts';
import { measureScreens } from './screens.ts';
import { killAll } from './service.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { printFigures, printTable } from './table.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWrites } from './writes.ts';

/**
 * Compares the service on each database with a bare node:http server that sends the same bytes and
 * with the bare driver that runs the same statements. All alternate in one run, and the ratio of
 * their medians counts.
 */
// The service is measured as its users run it: from dist/.
execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/build.js')]);

const before = options.compare === undefined ? undefined : readBaseline(options.compare);
if (options.compare !== undefined && !before) console.log('There is no baseline to compare with.');
const engines: Engine[] = [];
const collected = new Collected();
// A signal also ends the processes that the benchmark started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', killAll);

const { lines, figures } = collected;
const result: Result = {
  version: VERSION,
  at: new Date().toISOString(),
  machine: describeMachine(cpus().length, cpus()[0]?.model ?? '?'),
  databases: [],
  load: { connections: options.connections, rounds: options.rounds, seconds: options.ms / 1000 },
  lines,
  figures,
  parts: [],
  failures: [],
};
const parts = new Parts(result, {
  file: options.json,
  minutes: options.minutes,
  clear: killAll,
});

await measure();
console.log();
printTable(result, before);
console.log();
printFigures(result, before);
printClosing(result, before);
console.log(`\nThe result is in ${options.json}.`);
const isKept = options.baseline === undefined || keepBaseline(options.baseline);
killAll();
for (const engine of engines) await engine.close();
// A part that failed may have left a connection or a timer.
process.exit(result.failures.length === 0 && isKept ? 0 : 1);

async function measure(): Promise<void> {
  if (options.databases.includes('sqlite')) engines.push(sqliteEngine);
  if (options.databases.includes('postgres')) {
    await parts.run('start of PostgreSQL', async () => {
      engines.push(await startPostgresEngine());
    });
  }
  result.databases = await Promise.all(engines.map((engine) => engine.describe()));
  for (const line of [result.machine, ...result.databases, describeLoad()]) console.log(line);
  const stores = new Map<Engine, Store[]>();
  for (const engine of engines) {
    await parts.run(`data on ${engine.name}`, async () => {
      stores.set(engine, await storesOf(engine));
    });
  }
  const smallest = new Map([...stores].map(([engine, own]) => [engine, own[0]!]));
  await parts.run('reads', () => measureReads(stores, options.sizes, collected));
  await parts.run('orders', () => measureWrites(smallest, collected));
  await parts.run('webhooks', () => measureWebhooks(engines, collected));
  await parts.run('fan-out', () => measureFanOut(engines, collected));
  for (const { name, measure: measurePart } of addonParts) {
    await parts.run(name, () => measurePart({ engines, smallest, collected }));
  }
  for (const [engine, own] of stores) {
    const { name } = engine;
    const largest = own.at(-1)!;
    await parts.run(`start and memory on ${name}`, () =>
      measureFootprint(engine, largest, collected),
    );
    await parts.run(`screens on ${name}`, () => measureScreens(engine, largest, collected));
    await parts.run(`heavy work on ${name}`, () => measureBeside(engine, largest, collected));
  }
}

function describeLoad(): string {
  const { connections, rounds, ms } = options;
  const program = findPgbench();
  return [
    ...(options.smoke ? ['a smoke run with tiny data: its figures say nothing'] : []),
    `${connections} connections, ${rounds} rounds of ${ms / 1000} s each, in turns; medians`,
    'http: a bare node:http server answering the same bytes; SQL: the driver alone with the same statements',
    program === undefined
      ? 'pgbench is not installed: its column stays empty'
      : 'pgbench -M prepared',
  ].join('\n');
}

async function storesOf(engine: Engine): Promise<Store[]> {
  const own: Store[] = [];
  for (const size of options.sizes) {
    const store = await engine.storeOf(size);
    if (store) own.push(store);
  }
  return own;
}

/** A baseline that lacks rows would hide their losses. */
function keepBaseline(version: string): boolean {
  if (result.failures.length > 0 || engines.length < 2) {
    console.log('No baseline was written: it needs both databases and every part.');
    return false;
  }
  console.log(`The baseline is in ${writeBaseline(version, result)}.`);
  return true;
}
