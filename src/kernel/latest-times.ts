import type { Transaction } from '../db/database.ts';
import type { Job } from './job.ts';
import { perSite, type Site } from './site.ts';

const WRITE_EVERY_MS = 60_000;
const KEPT_MAX = 10_000;

/**
 * When things were last used. Kept in memory first and written together by a job: at most one
 * write a minute for each thing, and none on the way of a request.
 */
export class LatestTimes<K extends string | number> {
  readonly #save: (tx: Transaction, key: K, atMs: number) => Promise<void>;
  readonly #written = new Map<K, number>();
  #pending = new Map<K, number>();

  constructor(save: (tx: Transaction, key: K, atMs: number) => Promise<void>) {
    this.#save = save;
  }

  /** `savedMs` is what the database said when the thing was read. */
  note(key: K, savedMs: number | null, nowMs: number): void {
    const written = this.#written.get(key) ?? savedMs ?? 0;
    if (nowMs - written < WRITE_EVERY_MS) return;
    if (this.#written.size >= KEPT_MAX) this.#written.clear();
    this.#written.set(key, nowMs);
    this.#pending.set(key, nowMs);
  }

  /** A use that is not written yet. */
  pendingFor(key: K): number | undefined {
    return this.#pending.get(key);
  }

  async write(site: Site): Promise<void> {
    if (this.#pending.size === 0) return;
    const writing = this.#pending;
    this.#pending = new Map();
    try {
      await site.database.transaction(async (tx) => {
        for (const [key, atMs] of writing) await this.#save(tx, key, atMs);
      });
    } catch (error) {
      // Not written: the next run tries again, unless there is something newer by then.
      this.#pending = new Map([...writing, ...this.#pending]);
      throw error;
    }
  }
}

/** The times of one kind of thing for each site, and the job that writes them. */
export function latestTimes<K extends string | number>(
  jobName: string,
  save: (tx: Transaction, key: K, atMs: number) => Promise<void>,
): { of: (site: Site) => LatestTimes<K>; job: Job } {
  const of = perSite(() => new LatestTimes<K>(save));
  return {
    of,
    job: {
      name: jobName,
      everyMs: 1_000,
      runsOn: 'each',
      atStop: true,
      run: (site) => of(site).write(site),
    },
  };
}
