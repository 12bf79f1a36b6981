import type { EngineName } from './engine.ts';
import type { Figure, Line } from './result.ts';

type Yardstick = 'http' | 'sql' | 'pgbench';

interface LineTarget {
  operation: string;
  /** Both databases if undefined. */
  database?: EngineName;
  of: Yardstick;
  /** The minimum ratio. */
  least: number;
}

/** On both databases, the CPU of these operations is compared with that of earlier releases. */
export const lineTargets: readonly LineTarget[] = [
  { operation: 'GET /me', database: 'SQLite', of: 'http', least: 0.7 },
  { operation: 'GET /coupons/{id}', database: 'SQLite', of: 'http', least: 0.7 },
  { operation: 'GET /coupons/{id}', database: 'PostgreSQL', of: 'sql', least: 0.8 },
  { operation: 'GET /coupons, 20 of 100k', database: 'SQLite', of: 'http', least: 0.5 },
  { operation: 'GET /payouts, 20 of a million', database: 'SQLite', of: 'http', least: 0.2 },
  { operation: 'GET stats, all-time', database: 'SQLite', of: 'http', least: 0.6 },
  { operation: 'GET stats, a year', database: 'SQLite', of: 'http', least: 0.6 },
  { operation: 'GET report, kept', of: 'http', least: 0.6 },
  { operation: 'GET report of a year, kept', of: 'http', least: 0.6 },
  { operation: 'GET /events after 0, 100', database: 'SQLite', of: 'http', least: 0.15 },
  { operation: 'GET /events after half, 100', database: 'SQLite', of: 'http', least: 0.15 },
  { operation: 'PUT /orders, 32 at a time', of: 'sql', least: 0.6 },
  { operation: 'POST /orders/batch of 1,000', of: 'sql', least: 0.5 },
  { operation: 'POST /payouts, 32 at a time', of: 'sql', least: 0.5 },
  { operation: 'deliveries, 8 at a time', of: 'http', least: 0.5 },
];

interface FigureTarget {
  group: string;
  /** Prefix of the name; any name if undefined. */
  name?: string;
  most: number;
}

const figureTargets: readonly FigureTarget[] = [
  { group: 'growth', most: 1.5 },
  { group: 'rules', most: 1.1 },
  { group: 'pages', most: 5 },
  { group: 'alone', name: 'report, not kept', most: 50 },
  { group: 'screen-p99', most: 200 },
  { group: 'screen-cpu-p99', most: 200 },
  { group: 'rise', name: 'rebuild', most: 20 },
  { group: 'rise', name: 'dry run', most: 20 },
  { group: 'takes', name: 'dry run', most: 60_000 },
  { group: 'memory', name: 'just started', most: 120 },
  { group: 'memory', name: 'after load', most: 250 },
  { group: 'memory', name: 'most under load', most: 250 },
  { group: 'start', most: 1_000 },
];

export interface Verdict {
  /** The target as text for a table cell. */
  wanted: string;
  /** What was measured, as text. */
  reached: string;
  met: boolean;
}

function targetOf(line: Line): LineTarget | undefined {
  return lineTargets.find(
    ({ operation, database }) =>
      operation === line.operation && (database === undefined || database === line.database),
  );
}

export function hasTarget(line: Line): boolean {
  return lineTargets.some(({ operation }) => operation === line.operation);
}

export function judgeLine(line: Line): Verdict | undefined {
  const target = targetOf(line);
  const yardstick = target && line[target.of];
  if (!target || yardstick === undefined) return undefined;
  const ratio = line.perSecond / yardstick;
  return {
    wanted: `≥ ${target.least.toFixed(2)} of ${target.of}`,
    reached: ratio.toFixed(2),
    met: ratio >= target.least,
  };
}

export function judgeFigure(figure: Figure): Verdict | undefined {
  const target = figureTargets.find(
    ({ group, name = '' }) => group === figure.group && figure.name.startsWith(name),
  );
  if (!target) return undefined;
  const reached = figure.value.toFixed(figure.value < 10 ? 2 : 0);
  return { wanted: `≤ ${target.most}`, reached, met: figure.value <= target.most };
}
