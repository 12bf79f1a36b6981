import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilledStore } from '../test/growth/filled-store.ts';
import { grows } from '../test/growth/grows.ts';
import { measure } from '../test/growth/measure.ts';
import { stepsOf } from '../test/growth/steps.ts';

/**
 * npm run drill:growth [-- ORDERS …]
 *
 * Measures every operation and job once at each number of orders, on SQLite: the instructions of its statements, which
 * are the same on every machine, and the processor time. Prints what grows, with the statement that bends first.
 */
const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000, 5_000_000];
/** Work that needs every row is linear, and measured up to this many orders. */
const EVERY_ROW_MAX = 100_000;
const resultFile = join(tmpdir(), 'growth.json');
const FACTOR_MAX = 1.5;
const STEPS_MORE_MAX = 3_000;

interface Work {
  readonly steps: number;
  readonly cpuMs: number;
  /** The statement with the most steps. */
  readonly statement: string;
}

async function workOf(work: () => Promise<unknown>): Promise<Work> {
  const before = process.cpuUsage();
  const statements = await stepsOf(work);
  const { user, system } = process.cpuUsage(before);
  const [largest] = [...statements].sort(([, a], [, b]) => b - a);
  return {
    steps: statements.values().reduce((sum, steps) => sum + steps, 0),
    cpuMs: (user + system) / 1000,
    statement: largest?.[0] ?? '',
  };
}

async function measureAt(orders: number, parent: string): Promise<Map<string, Work>> {
  const startMs = performance.now();
  const amount = { rows: Math.max(2_000, orders / 100), rowsOfOrders: orders };
  const store = await FilledStore.open(amount, Number.POSITIVE_INFINITY, parent);
  const { size } = statSync(store.db.location()!);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(
    `${orders} orders, ${amount.rows} affiliates: ${size / 1e6} MB, filled in ${seconds} s`,
  );
  return measure(store, workOf, (name) => orders > EVERY_ROW_MAX && name in grows);
}

const parent = mkdtempSync(join(tmpdir(), 'growth-'));
try {
  const curves = new Map<string, (Work | undefined)[]>();
  for (const [i, orders] of sizes.entries()) {
    for (const [name, work] of await measureAt(orders, parent)) {
      const curve = curves.get(name) ?? [];
      curve[i] = work;
      curves.set(name, curve);
    }
    writeFileSync(resultFile, JSON.stringify(Object.fromEntries(curves), undefined, 1));
  }
  console.log(`All of them are in ${resultFile}.`);
  let flat = 0;
  for (const [name, curve] of curves) {
    const known = curve.filter((work) => work !== undefined);
    const [first, last] = [known[0]!, known.at(-1)!];
    if (last.steps <= FACTOR_MAX * first.steps + STEPS_MORE_MAX) flat += 1;
    else {
      const cells = curve.map((work) => work && `${work.steps} steps, ${work.cpuMs.toFixed(1)} ms`);
      console.log(
        `${name}: ${cells.map((cell) => cell ?? '–').join(' | ')}\n    ${last.statement}`,
      );
    }
  }
  console.log(`${flat} of ${curves.size} operations and jobs do not grow.`);
} finally {
  rmSync(parent, { recursive: true, force: true });
}
