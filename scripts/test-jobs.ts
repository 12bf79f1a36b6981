import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suspicions } from '../test/suspicion/test-files.ts';

/** Whether the services of its tests store in a file. */
export function isOnFile(database: string): boolean {
  return database === 'SQLite' || suspicions.some((name) => name === database);
}

/** Test files that run in one process, on one database. */
export interface Job {
  database: string;
  files: readonly string[];
  /** The program of the process. */
  entry: string;
}

export interface Failure {
  database: string;
  file: string;
  /** The names of the suites around the test, then its own. */
  path: readonly string[];
  at: string;
  error: string;
}

/** Seconds of the files that take long, by database and file; `npm test -- --record` writes them. */
export type Durations = Record<string, Record<string, number>>;

const recorded = join(import.meta.dirname, 'slow-tests.json');
/** Shorter files need no record. */
const SLOW_S = 5;
/** A guess for files without a record. */
const USUAL_S = 1;

export function readDurations(): Durations {
  return JSON.parse(readFileSync(recorded, 'utf8')) as Durations;
}

export function writeDurations(durations: Durations): void {
  const slow = Object.entries(durations).map(([database, files]) => [
    database,
    Object.fromEntries(
      Object.entries(files)
        .filter(([, seconds]) => seconds >= SLOW_S)
        .map(([file, seconds]) => [file, Math.round(seconds)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
  writeFileSync(recorded, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}

export function secondsOf({ database, files }: Job, durations: Durations): number {
  return files.reduce((sum, file) => sum + (durations[database]?.[file] ?? USUAL_S), 0);
}

/** The slowest first, so that no core waits for one of them at the end. */
export function slowestFirst(jobs: readonly Job[], durations: Durations): Job[] {
  return jobs.toSorted((a, b) => secondsOf(b, durations) - secondsOf(a, durations));
}

/** Part 1 to `count` of the jobs: each job is in one part, and the parts take about the same time. */
export function partOf(
  jobs: readonly Job[],
  part: number,
  count: number,
  durations: Durations,
): Job[] {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, jobs: [] as Job[] }));
  for (const job of slowestFirst(jobs, durations)) {
    const shortest = parts.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    shortest.jobs.push(job);
    shortest.seconds += secondsOf(job, durations);
  }
  return parts[part - 1]!.jobs;
}

/** The command that runs a file alone, on its database. */
export function commandFor({ database, file }: { database: string; file: string }): string {
  if (database === 'SQLite') return `npm run test:file ${file}`;
  const only = database === 'PostgreSQL' ? 'postgres' : database.toLowerCase();
  return `npm test -- --only=${only} ${file}`;
}

/** A failure as a person reads it: where it is, its full title, and how to run it. */
export function describeFailure(failure: Failure): string {
  const { database, file, path, at, error } = failure;
  return [
    `${database}: ${file}`,
    `  ${path.join(' > ')}`,
    `  at ${at}`,
    error.replace(/^/gm, '    '),
    `  ${commandFor(failure)}`,
  ].join('\n');
}
