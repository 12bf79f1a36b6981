import { readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import type { EngineName } from './engine.ts';

export const areas = [
  'Reading',
  'Listing',
  'Statistics',
  'Reports',
  'Feed',
  'Orders',
  'Payouts',
  'Webhooks',
] as const;

/** One operation on one database under load: one line of the table. */
export interface Line {
  area: (typeof areas)[number];
  operation: string;
  database: EngineName;
  /** How many orders the store has. */
  orders: number;
  perSecond: number;
  p50Ms?: number | undefined;
  p99Ms?: number | undefined;
  /** CPU of the service for one request; that of a database server comes apart. */
  cpuUs?: number | undefined;
  serverCpuUs?: number | undefined;
  /** What a bare server reaches that answers the same bytes; for webhooks a bare client. */
  http?: number | undefined;
  httpCpuUs?: number | undefined;
  /** What the driver alone reaches with the same statements. */
  sql?: number | undefined;
  /** What pgbench reaches with the same statements, prepared. */
  pgbench?: number | undefined;
}

/** Anything else that is a number: milliseconds of one request, megabytes, how a cost has grown. */
export interface Figure {
  group: string;
  name: string;
  database: EngineName;
  value: number;
}

export interface Result {
  at: string;
  machine: string;
  databases: string[];
  load: { connections: number; rounds: number; seconds: number };
  lines: Line[];
  figures: Figure[];
}

/** Collects while the bench runs. */
export class Collected {
  readonly lines: Line[] = [];
  readonly figures: Figure[] = [];

  add(line: Line): void {
    this.lines.push(line);
  }

  figure(group: string, name: string, database: EngineName, value: number): void {
    this.figures.push({ group, name, database, value });
  }
}

export function describeMachine(cores: number, model: string): string {
  return `${cores} cores (${model}), ${process.platform} ${release()}, Node ${process.version}`;
}

/** Figures that could not be told are left out. */
export function writeResult(file: string, result: Result): void {
  const known = (_name: string, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  writeFileSync(file, `${JSON.stringify(result, known, 2)}\n`);
}

export function readResult(file: string): Result {
  return JSON.parse(readFileSync(file, 'utf8')) as Result;
}
