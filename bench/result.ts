import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { dirname } from 'node:path';
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
  'Stores',
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
  /** CPU of the service per request, without the database server. */
  cpuUs?: number | undefined;
  serverCpuUs?: number | undefined;
  /** Rate of a bare server that sends the same bytes; for webhooks, of a bare client. */
  http?: number | undefined;
  httpCpuUs?: number | undefined;
  /** Rate of the driver alone with the same statements. */
  sql?: number | undefined;
  /** Rate of pgbench with the same prepared statements. */
  pgbench?: number | undefined;
}

/** Any other number: milliseconds of a request, megabytes, the growth of a cost. */
export interface Figure {
  group: string;
  name: string;
  database: EngineName;
  value: number;
}

/** What could not be measured, and why. */
export interface Failure {
  part: string;
  reason: string;
}

export interface Result {
  version: string;
  at: string;
  machine: string;
  databases: string[];
  load: { connections: number; rounds: number; seconds: number };
  lines: Line[];
  figures: Figure[];
  /** The parts that ended without a failure. */
  parts: string[];
  failures: Failure[];
}

/** Collects the results of a run. */
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

/** Omits figures that could not be measured. Renamed when it is complete: an interrupted run leaves a result. */
export function writeJson(file: string, content: object): void {
  const known = (_name: string, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.writing`, `${JSON.stringify(content, known, 2)}\n`);
  renameSync(`${file}.writing`, file);
}
