import { findLosses, machineFactor, type Baseline } from './baseline.ts';
import type { Line, Result } from './result.ts';
import { judgeFigure, judgeLine } from './targets.ts';

/** Prints what a reader must not miss: rows short of their target, rows that lost, and parts that failed. */
export function printClosing(result: Result, before: Baseline | undefined): void {
  printList('Short of target', shortOf(result));
  if (before) {
    const factor = machineFactor(result, before);
    console.log(
      `\nCompared with ${before.version} (${before.at.slice(0, 10)}, ${before.machine}).` +
        ` The bare server takes ${factor.toFixed(2)} times the CPU of then, which is taken into account.`,
    );
    printList(
      `More than 10 % more CPU than ${before.version}`,
      findLosses(result, before).map(
        ({ line, times }) => `${nameOf(line)}: ${times.toFixed(2)} times as much`,
      ),
    );
  }
  printList(
    'Failed',
    result.failures.map(({ part, reason }) => `${part}: ${reason}`),
  );
}

function shortOf({ lines, figures }: Result): string[] {
  const ofLines = lines.flatMap((line) => {
    const verdict = judgeLine(line);
    return verdict && !verdict.met
      ? [`${nameOf(line)}: ${verdict.reached}, wanted ${verdict.wanted}`]
      : [];
  });
  const ofFigures = figures.flatMap((figure) => {
    const verdict = judgeFigure(figure);
    const { group, name, database } = figure;
    return verdict && !verdict.met
      ? [`${group}, ${name} on ${database}: ${verdict.reached}, wanted ${verdict.wanted}`]
      : [];
  });
  return [...ofLines, ...ofFigures];
}

function nameOf({ operation, database, orders }: Line): string {
  const size = orders > 0 ? ` with ${orders.toLocaleString('en')} orders` : '';
  return `${operation} on ${database}${size}`;
}

function printList(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length === 0 ? 'none' : lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}
