import type { Transaction } from '../../db/database.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Job } from '../declare/job.ts';
import { perSite, type Site } from '../declare/site.ts';

const WRITE_EVERY_MS = 60_000;
const KEPT_MAX = 10_000;

/**
 * Records when items were last used. Times are collected in memory and stored by a job: at most one
 * write per item and minute, and none during a request.
 */
export class LatestTimes<K extends string | number> {
  readonly #save: (tx: Transaction, key: K, atMs: number) => Promise<void>;
  /** What was noted last, written or about to be. */
  readonly #noted = new BoundedMap<K, number>(KEPT_MAX);
  #pending = new Map<K, number>();

  constructor(save: (tx: Transaction, key: K, atMs: number) => Promise<void>) {
    this.#save = save;
  }

  /** `savedMs` is what the database said when the thing was read. */
  note(key: K, savedMs: number | null, nowMs: number): void {
    const noted = this.#noted.get(key) ?? savedMs ?? 0;
    // One of the future is from a clock that was set back since: it is written over.
    if (noted <= nowMs && nowMs - noted < WRITE_EVERY_MS) return;
    this.#noted.set(key, nowMs);
    this.#pending.set(key, nowMs);
  }

  /**
   * The last use that is known, where `savedMs` is what the database said. That may be from before a
   * write which is over by now, so what is written is not forgotten.
   */
  latestOf(key: K, savedMs: number): number;
  latestOf(key: K, savedMs: number | null): number | null;
  latestOf(key: K, savedMs: number | null): number | null {
    const noted = this.#pending.get(key) ?? this.#noted.get(key);
    return noted === undefined ? savedMs : Math.max(noted, savedMs ?? 0);
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
