import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './engine.ts';
import { writeJson, type Figure, type Line, type Result } from './result.ts';
import { hasTarget } from './targets.ts';
import { median } from './turns.ts';

const FOLDER = join(import.meta.dirname, 'baselines');
/** More than this is a loss: what repeated runs on a quiet machine differ by is less. */
const LOSS_MIN = 0.1;
/** Figures of a baseline; those of screens would be most of its size. */
const FIGURES: ReadonlySet<string> = new Set(['growth', 'memory', 'rules', 'start']);

/** One row of a release: what it costs, and its ratios to what else was measured in the same run. */
interface Row {
  operation: string;
  database: EngineName;
  orders: number;
  cpuUs?: number | undefined;
  serverCpuUs?: number | undefined;
  /** CPU of the bare server: how fast the machine was. */
  httpCpuUs?: number | undefined;
  ofHttp?: number | undefined;
  ofSql?: number | undefined;
  ofPgbench?: number | undefined;
}

/** What later releases are compared with. */
export interface Baseline extends Pick<
  Result,
  'version' | 'at' | 'machine' | 'databases' | 'load'
> {
  rows: Row[];
  figures: Figure[];
}

export function writeBaseline(version: string, result: Result): string {
  const file = join(FOLDER, `${version}.json`);
  writeJson(file, { ...toBaseline(result), version });
  return file;
}

/** The baseline or result in a file; `newest` is the baseline of the latest release, if there is one. */
export function readBaseline(name: string): Baseline | undefined {
  const file = name === 'newest' ? newestFile() : name;
  if (file === undefined) return undefined;
  // Written by this program.
  const content = JSON.parse(readFileSync(file, 'utf8')) as Result | Baseline;
  return 'lines' in content ? toBaseline(content) : content;
}

function newestFile(): string | undefined {
  const newest = newestOf(readdirSync(FOLDER));
  return newest === undefined ? undefined : join(FOLDER, newest);
}

/** That of the highest version. */
export function newestOf(files: readonly string[]): string | undefined {
  const inOrder = new Intl.Collator('en', { numeric: true });
  return files
    .filter((file) => file.endsWith('.json'))
    .toSorted(inOrder.compare)
    .at(-1);
}

function toBaseline({ version, at, machine, databases, load, lines, figures }: Result): Baseline {
  return {
    version,
    at,
    machine,
    databases,
    load,
    rows: lines.map(toRow),
    figures: figures.filter(({ group }) => FIGURES.has(group)).map(rounded),
  };
}

function toRow(line: Line): Row {
  const { operation, database, orders, cpuUs, serverCpuUs, httpCpuUs } = line;
  const ratio = (of: number | undefined) => of && round(line.perSecond / of, 3);
  return {
    operation,
    database,
    orders,
    cpuUs: round(cpuUs, 1),
    serverCpuUs: round(serverCpuUs, 1),
    httpCpuUs: round(httpCpuUs, 1),
    ofHttp: ratio(line.http),
    ofSql: ratio(line.sql),
    ofPgbench: ratio(line.pgbench),
  };
}

const rounded = (figure: Figure): Figure => ({ ...figure, value: round(figure.value, 2)! });

function round(value: number | undefined, places: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(places));
}

export function findRow({ rows }: Baseline, line: Line): Row | undefined {
  return rows.find(
    ({ operation, database, orders }) =>
      operation === line.operation && database === line.database && orders === line.orders,
  );
}

export interface Loss {
  line: Line;
  /** How many times the CPU of the baseline it takes, as if the machine were as fast. */
  times: number;
}

/** How many times the CPU of then the same bare server takes: a slower or a busier machine. */
export function machineFactor(result: Result, before: Baseline): number {
  const factors = result.lines.flatMap((line) => {
    const then = findRow(before, line)?.httpCpuUs;
    return line.httpCpuUs && then ? [line.httpCpuUs / then] : [];
  });
  return factors.length === 0 ? 1 : median(factors);
}

/** The rows with a target that take more CPU than then, the server's included. */
export function findLosses(result: Result, before: Baseline): Loss[] {
  const factor = machineFactor(result, before);
  return result.lines.filter(hasTarget).flatMap((line) => {
    const then = findRow(before, line);
    if (!then) return [];
    const times = costOf(line) / costOf(then) / factor;
    return times > 1 + LOSS_MIN ? [{ line, times }] : [];
  });
}

/** A figure that was not measured does not count, such as the server of SQLite. */
export function costOf({ cpuUs, serverCpuUs }: Pick<Row, 'cpuUs' | 'serverCpuUs'>): number {
  return (cpuUs ?? Number.NaN) + (serverCpuUs || 0);
}
