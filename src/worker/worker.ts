import type { Job, JobFigures } from '../kernel/declare/job.ts';
import { limitedLogOf } from '../kernel/declare/limited-log.ts';
import type { Site } from '../kernel/declare/site.ts';
import { claimJob, LATE_MS, releaseLeases } from './claim.ts';
import { correctInstants } from './correct-instants.ts';

/**
 * `own`: only the jobs that every instance runs; another process runs the others. `at-stop`: only those that a stop
 * needs, for tests that run the others themselves.
 */
export type RunJobs = 'all' | 'own' | 'at-stop';

/**
 * Jobs that belong to no module.
 *
 * @internal Exported for the test of growth.
 */
export const ownJobs: readonly Job[] = [correctInstants];

/** Runs the background jobs of the active modules, each at its interval and never twice at the same time. */
export class Worker {
  readonly #site: Site;
  readonly #runs: RunJobs;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #figures = new Map<string, { runs: number; failures: number; succeededMs?: number }>();
  #stopped = false;

  constructor(site: Site, runs: RunJobs = 'all') {
    this.#site = site;
    this.#runs = runs;
  }

  start(): void {
    for (const job of this.#scheduled()) this.#schedule(job, Math.min(job.everyMs, 1_000));
  }

  /** Whether every job has a timer or is running. */
  isAlive(): boolean {
    return (
      !this.#stopped &&
      this.#scheduled().every((job) => this.#timers.has(job.name) || this.#running.has(job.name))
    );
  }

  /** Runs and failures of each job in this process. */
  figures(): JobFigures[] {
    return this.#scheduled()
      .filter((job) => this.#isActive(job))
      .map(({ name, everyMs }) => {
        const { runs, failures, succeededMs } = this.#figuresOf(name);
        return { name, everyMs, runs, failures, succeededMs };
      });
  }

  /** Waits for running jobs, then runs the jobs that store what is in memory. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
    for (const job of this.#jobs()) if (job.atStop) await this.#run(job);
    // If the database is down, other instances take over when the leases expire.
    await releaseLeases(this.#site).catch((error: unknown) =>
      this.#site.log.warn({ err: error }, 'leases of background jobs could not be released'),
    );
  }

  #jobs(): Job[] {
    const { modules } = this.#site.registry;
    const jobs = [...ownJobs, ...modules.flatMap((module) => module.jobs ?? [])];
    return this.#runs === 'own' ? jobs.filter((job) => job.runsOn === 'each') : jobs;
  }

  #scheduled(): Job[] {
    return this.#runs === 'at-stop' ? [] : this.#jobs();
  }

  #schedule(job: Job, inMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(job.name);
      this.#running.set(job.name, this.#runAndReschedule(job));
    }, inMs);
    this.#timers.set(job.name, timer.unref());
  }

  async #runAndReschedule(job: Job): Promise<void> {
    const isOurs = await this.#runIfDue(job);
    this.#running.delete(job.name);
    // The holder may crash: another instance should take over an hourly job within half a minute.
    const nextMs = isOurs ? job.everyMs : Math.min(job.everyMs, LATE_MS);
    if (!this.#stopped) this.#schedule(job, nextMs);
  }

  /** Returns false if another instance runs the job. */
  async #runIfDue(job: Job): Promise<boolean> {
    return !this.#isActive(job) || (await this.#run(job));
  }

  #isActive(job: Job): boolean {
    if (job.alsoWhileOff || ownJobs.includes(job)) return true;
    return this.#site.registry.activeModules().some((module) => module.jobs?.includes(job));
  }

  async #run(job: Job): Promise<boolean> {
    try {
      if (job.runsOn === 'one' && !(await claimJob(this.#site, job))) return false;
      await job.run(this.#site);
      this.#figuresOf(job.name).succeededMs = this.#site.clock();
      limitedLogOf(this.#site).recovered(
        `job ${job.name}`,
        { job: job.name },
        'a background job works again',
      );
    } catch (error) {
      this.#figuresOf(job.name).failures += 1;
      limitedLogOf(this.#site).error(
        `job ${job.name}`,
        { err: error, job: job.name },
        'a background job failed and will be retried',
      );
    }
    this.#figuresOf(job.name).runs += 1;
    return true;
  }

  #figuresOf(name: string) {
    let figures = this.#figures.get(name);
    if (!figures) this.#figures.set(name, (figures = { runs: 0, failures: 0 }));
    return figures;
  }
}
