import { costOf, findRow, type Baseline } from './baseline.ts';
import { areas, type Figure, type Line, type Result } from './result.ts';
import { judgeFigure, judgeLine, type Verdict } from './targets.ts';

const MET = '✓';
const MISSED = '✗';

/** Titles of the groups of figures, in display order. */
const groups: Record<string, string> = {
  growth: 'CPU of a request, server included, against the smallest store',
  rules: 'CPU of a new order with reward rules, server included, against none',
  alone: 'One request at a time, ms (median)',
  pages: 'A page against the first of its list, one request at a time',
  'screen-p50': 'The calls of a screen, one request at a time, p50 in ms',
  'screen-p99': 'The calls of a screen, one request at a time, p99 in ms',
  'screen-cpu-p50': 'The same, CPU time of the main thread, p50 in ms',
  'screen-cpu-p99': 'The same, CPU time of the main thread, p99 in ms',
  takes: 'Heavy work takes, ms',
  others: 'p99 of others (8 connections reading a coupon) beside it, ms',
  rise: 'How much their p99 rises by it, ms',
  'fan-out': 'PUT of an order every 20 ms, ms',
  webhooks: 'POST /keys every 50 ms, each sent to webhooks, ms',
  memory: 'Memory of the service, MB',
  start: 'From the start to the first answer, ms',
};

type Before = Baseline | undefined;

/** Prints one line per operation and database, with the CPU of an earlier run if given. */
export function printTable(result: Result, before: Before): void {
  const compared = before ? ['CPU before', 'now/before'] : [];
  const head = ['', '', 'a second', 'p50 ms', 'p99 ms', 'CPU µs', 'server µs'];
  const ratios = ['of http', 'by CPU', 'of SQL', 'of pgbench'];
  const rows: string[][] = [[...head, ...ratios, 'target', ...compared]];
  for (const area of areas) {
    const lines = largestOf(result.lines.filter((line) => line.area === area));
    if (lines.length > 0) rows.push([], [area]);
    for (const [i, line] of lines.entries()) {
      const name = lines[i - 1]?.operation === line.operation ? '' : `  ${line.operation}`;
      rows.push([
        name,
        line.database,
        ...cellsOf(line),
        ...(before ? sinceThen(line, before) : []),
      ]);
    }
  }
  if (rows.length > 1) print(rows, 2);
}

/** Keeps only the largest size of each operation. */
function largestOf(lines: readonly Line[]): Line[] {
  const operations = [...new Set(lines.map(({ operation }) => operation))];
  return operations.flatMap((operation) => {
    const own = lines.filter((line) => line.operation === operation);
    const databases = [...new Set(own.map(({ database }) => database))];
    return databases.map((database) => own.findLast((line) => line.database === database)!);
  });
}

function cellsOf(line: Line): string[] {
  const { perSecond, http, httpCpuUs, cpuUs } = line;
  return [
    digits(perSecond, 0),
    digits(line.p50Ms, 2),
    digits(line.p99Ms, 2),
    digits(cpuUs, 0),
    digits(line.serverCpuUs, 0),
    ratio(perSecond, http),
    ratio(httpCpuUs, cpuUs),
    ratio(perSecond, line.sql),
    ratio(perSecond, line.pgbench),
    verdict(judgeLine(line)),
  ];
}

/** CPU with that of the server. */
function sinceThen(line: Line, before: Baseline): string[] {
  const then = findRow(before, line);
  return then ? [digits(costOf(then), 0), ratio(costOf(line), costOf(then))] : [];
}

/** Prints figures that are not rates, one line per figure and one column per database. */
export function printFigures(result: Result, before: Before): void {
  const databases = [...new Set(result.figures.map(({ database }) => database))];
  const earlier = before ? databases.map((database) => `${database} before`) : [];
  const rows: string[][] = [['', ...databases, 'target', ...earlier]];
  for (const [group, title] of Object.entries(groups)) {
    const figures = result.figures.filter((figure) => figure.group === group);
    if (figures.length > 0) rows.push([], [title]);
    for (const name of new Set(figures.map((figure) => figure.name))) {
      const own = databases.map((database) =>
        figures.find((figure) => figure.name === name && figure.database === database),
      );
      const verdicts = own.map((figure) => figure && judgeFigure(figure));
      const marks = verdicts.map((one) => (one ? mark(one) : '')).join('');
      const wanted = verdicts.find((one) => one !== undefined)?.wanted;
      rows.push([
        `  ${name}`,
        ...own.map((figure) => (figure ? figureText(figure.value) : '')),
        wanted === undefined ? '' : `${wanted} ${marks}`,
        ...(before ? own.map((figure) => figureBefore(figure, before)) : []),
      ]);
    }
  }
  if (rows.length > 1) print(rows, 1);
}

function figureBefore(figure: Figure | undefined, before: Baseline): string {
  const then = before.figures.find(
    ({ group, name, database }) =>
      group === figure?.group && name === figure.name && database === figure.database,
  );
  return then ? figureText(then.value) : '';
}

const figureText = (value: number) => digits(value, Math.abs(value) < 10 ? 2 : 0);
const mark = ({ met }: Verdict) => (met ? MET : MISSED);
const verdict = (of: Verdict | undefined) => (of ? `${of.wanted} ${mark(of)}` : '');

function digits(value: number | undefined, places: number): string {
  if (value === undefined || !Number.isFinite(value)) return '';
  return value.toLocaleString('en', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
}

function ratio(value: number | undefined, of: number | undefined): string {
  return value === undefined || of === undefined ? '' : digits(value / of, 2);
}

/**
 * Aligns columns: the first ones, with words, to the left and figures to the right. Titles do not
 * widen columns.
 */
function print(rows: readonly string[][], words: number): void {
  const filled = rows.filter((row) => row.length > 1);
  const width = (column: number) => Math.max(...filled.map((row) => (row[column] ?? '').length));
  const widths = filled[0]!.map((_, column) => width(column));
  for (const row of rows) {
    if (row.length < 2) console.log(row[0] ?? '');
    else {
      const cells = row.map((cell, i) =>
        i < words ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
      );
      console.log(cells.join('  ').trimEnd());
    }
  }
}
