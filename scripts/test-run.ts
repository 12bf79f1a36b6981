import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { LOGS_VARIABLE } from '../test/support/stored-logs.ts';
import type { Failure, Job } from './test-jobs.ts';

/** Not speed limits: they end a test, and a process, that never ends. */
const TEST_MS_MAX = 30 * 60_000;
const JOB_MS_MAX = 2 * TEST_MS_MAX;
const KEPT = join(import.meta.dirname, '../node_modules/.cache/failed-tests');
const reporter = join(import.meta.dirname, 'test-reporter.js');
const OUTPUT_CHARACTERS_MAX = 4_000;

type Counts = Record<'tests' | 'passed' | 'failed' | 'cancelled' | 'skipped', number>;

/** A line of `test-reporter.js`. */
type Line =
  | { counts: Counts }
  | { processorSeconds: number }
  | { name: string; ms: number }
  | { failed: string[]; at: string; error: string };

interface Took {
  database: string;
  file: string;
  seconds: number;
}

/** Runs jobs, each in a process, and collects what they report. */
export class Run {
  readonly failures: Failure[] = [];
  /** Reports, output and logs of the processes; removed if all tests pass. */
  readonly folder: string;
  readonly #environments: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** Whether the output of the tests is shown while they run. */
  readonly #showsTests: boolean;
  readonly #took: Took[] = [];
  /** Seconds on a processor. */
  readonly #used = new Map<Job, number>();
  readonly #counts = new Map<string, Counts>();
  #startMs = performance.now();
  #ended = 0;

  constructor(
    environments: Readonly<Record<string, NodeJS.ProcessEnv>>,
    { showsTests }: { showsTests: boolean },
  ) {
    this.#environments = environments;
    this.#showsTests = showsTests;
    mkdirSync(KEPT, { recursive: true });
    this.folder = mkdtempSync(join(KEPT, 'run-'));
  }

  async all(planned: readonly Job[], atOnce: number): Promise<void> {
    // A database that could not be started is reported elsewhere.
    const jobs = planned.filter(({ database }) => database in this.#environments);
    const queue = jobs.values();
    this.#startMs = performance.now();
    const work = async () => {
      for (const job of queue) {
        const seconds = await this.#run(job);
        this.#ended += 1;
        const used = this.#used.get(job)?.toFixed(1) ?? '?';
        console.log(
          `${this.#ended}/${jobs.length}  ${job.database.padEnd(12)}${nameOf(job)}  ${seconds.toFixed(1)} s, ${used} s of processor time`,
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (this.failures.length === 0) rmSync(this.folder, { recursive: true, force: true });
  }

  slowest(): Took[] {
    return this.#took.toSorted((a, b) => b.seconds - a.seconds);
  }

  /** Processor time of the jobs: what makes a run short, whatever else the machine does. */
  busiest(): { database: string; name: string; seconds: number }[] {
    return Array.from(this.#used, ([job, seconds]) => ({
      database: job.database,
      name: nameOf(job),
      seconds,
    })).sort((a, b) => b.seconds - a.seconds);
  }

  /** `tests 12  pass 12  fail 0 …` of each database. */
  *summaries(): Generator<[string, string]> {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1);
    for (const [database, { tests, passed, failed, cancelled, skipped }] of this.#counts) {
      yield [
        database,
        `tests ${tests}  pass ${passed}  fail ${failed}  cancelled ${cancelled}  skipped ${skipped}  in ${seconds} s`,
      ];
    }
  }

  async #run(job: Job): Promise<number> {
    const startMs = performance.now();
    const output = join(this.folder, `${job.database}-${job.files[0]!.replaceAll('/', '-')}.out`);
    const out = this.#showsTests ? 'inherit' : openSync(output, 'w');
    const reporters = [reporter, ...(this.#showsTests ? ['spec'] : [])].flatMap((name) => [
      `--test-reporter=${name}`,
      '--test-reporter-destination=stdout',
    ]);
    const child = spawn(
      process.execPath,
      [`--test-timeout=${TEST_MS_MAX}`, ...reporters, job.entry],
      {
        env: {
          ...this.#environments[job.database],
          [LOGS_VARIABLE]: this.folder,
          TEST_REPORTS: this.folder,
        },
        stdio: ['ignore', out, out],
        timeout: JOB_MS_MAX,
      },
    );
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (typeof out === 'number') closeSync(out);
    const seconds = (performance.now() - startMs) / 1000;
    const report = join(this.folder, `${child.pid}.jsonl`);
    const lines = existsSync(report)
      ? readFileSync(report, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Line)
      : [];
    const failuresBefore = this.failures.length;
    const isComplete = this.#read(job, lines, seconds);
    if (!isComplete || (code !== 0 && this.failures.length === failuresBefore)) {
      const said = typeof out === 'number' ? readFileSync(output, 'utf8') : '';
      this.#add(job, job.files, {
        path: [`the process ended with ${signal ?? `status ${code}`}`],
        at: job.entry,
        error: said.slice(-OUTPUT_CHARACTERS_MAX),
      });
    }
    return seconds;
  }

  /** Adds up the lines of a process; whether the tests came to their end. */
  #read(job: Job, lines: readonly Line[], seconds: number): boolean {
    const isGroup = job.files.length > 1;
    let isComplete = false;
    for (const line of lines) {
      if ('counts' in line) {
        isComplete = true;
        this.#count(job.database, line.counts);
      } else if ('processorSeconds' in line) {
        this.#used.set(job, line.processorSeconds);
      } else if ('failed' in line) {
        const [file, ...path] = isGroup ? line.failed : [job.files[0]!, ...line.failed];
        this.#add(job, [file!], { path, at: line.at, error: line.error });
      } else if (isGroup) {
        this.#took.push({ database: job.database, file: line.name, seconds: line.ms / 1000 });
      }
    }
    if (!isGroup) this.#took.push({ database: job.database, file: job.files[0]!, seconds });
    return isComplete;
  }

  #add(
    { database }: Job,
    files: readonly string[],
    failure: Pick<Failure, 'path' | 'at' | 'error'>,
  ): void {
    for (const file of files) this.failures.push({ database, file, ...failure });
    console.log(`FAILED  ${database}  ${files.join(' ')}  ${failure.path.join(' > ')}`);
  }

  #count(database: string, counts: Counts): void {
    const before = this.#counts.get(database);
    this.#counts.set(database, {
      tests: (before?.tests ?? 0) + counts.tests,
      passed: (before?.passed ?? 0) + counts.passed,
      failed: (before?.failed ?? 0) + counts.failed,
      cancelled: (before?.cancelled ?? 0) + counts.cancelled,
      skipped: (before?.skipped ?? 0) + counts.skipped,
    });
  }
}

function nameOf({ files }: Job): string {
  return files.length > 1 ? `${files[0]} and ${files.length - 1} more` : files[0]!;
}
