import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureBeside } from './beside.ts';
import type { Engine, Store } from './engine.ts';
import { measureFootprint } from './footprint.ts';
import { options } from './options.ts';
import { measurePayouts } from './payouts.ts';
import { findPgbench } from './pgbench.ts';
import { startPostgresEngine } from './postgres-engine.ts';
import { measureReads } from './reads.ts';
import { Collected, describeMachine, readResult, writeResult, type Result } from './result.ts';
import { killAll } from './service.ts';
import { measureStores } from './stores.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { measureScreens } from './screens.ts';
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

const before = options.compare === undefined ? undefined : readResult(options.compare);
const engines: Engine[] = [];
// A signal also ends the processes that the benchmark started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', killAll);
try {
  if (options.databases.includes('sqlite')) engines.push(sqliteEngine);
  if (options.databases.includes('postgres')) engines.push(await startPostgresEngine());
  const result = await measure();
  console.log();
  printTable(result, before);
  console.log();
  printFigures(result, before);
  if (options.json !== undefined) writeResult(options.json, result);
} finally {
  killAll();
  for (const engine of engines) await engine.close();
}

async function measure(): Promise<Result> {
  const databases = await Promise.all(engines.map((engine) => engine.describe()));
  const machine = describeMachine(cpus().length, cpus()[0]?.model ?? '?');
  const load = {
    connections: options.connections,
    rounds: options.rounds,
    seconds: options.ms / 1000,
  };
  for (const line of [machine, ...databases, describeLoad()]) console.log(line);
  const stores = await makeStores();
  const collected = new Collected();
  const step = async (name: string, work: () => Promise<void>) => {
    const startedMs = performance.now();
    process.stdout.write(`measuring ${name} …`);
    await work();
    console.log(` ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  };
  const smallest = new Map([...stores].map(([engine, own]) => [engine, own[0]!]));
  await step('reads', () => measureReads(stores, options.sizes, collected));
  await step('orders', () => measureWrites(smallest, collected));
  await step('payouts', () => measurePayouts(smallest, collected));
  await step('webhooks', () => measureWebhooks(engines, collected));
  await step('stores', () => measureStores(engines, collected));
  for (const [engine, own] of stores) {
    const largest = own.at(-1)!;
    await step(`start and memory on ${engine.name}`, () =>
      measureFootprint(engine, largest, collected),
    );
    await step(`screens on ${engine.name}`, () => measureScreens(engine, largest, collected));
    await step(`heavy work on ${engine.name}`, () => measureBeside(engine, largest, collected));
  }
  const { lines, figures } = collected;
  return { at: new Date().toISOString(), machine, databases, load, lines, figures };
}

function describeLoad(): string {
  const { connections, rounds, ms } = options;
  const program = findPgbench();
  return [
    `${connections} connections, ${rounds} rounds of ${ms / 1000} s each, in turns; medians`,
    'http: a bare node:http server answering the same bytes; SQL: the driver alone with the same statements',
    program === undefined
      ? 'pgbench is not installed: its column stays empty'
      : 'pgbench -M prepared',
  ].join('\n');
}

async function makeStores(): Promise<Map<Engine, Store[]>> {
  const stores = new Map<Engine, Store[]>();
  for (const engine of engines) {
    const own: Store[] = [];
    for (const size of options.sizes) {
      const store = await engine.storeOf(size);
      if (store) own.push(store);
    }
    stores.set(engine, own);
  }
  return stores;
}
