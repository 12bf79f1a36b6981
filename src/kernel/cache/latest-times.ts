import type { Transaction } from '../../db/database.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Job } from '../declare/job.ts';
import { perSite, type Site } from '../declare/site.ts';

const WRITE_EVERY_MS = 60_000;
const CACHED_MAX = 10_000;

/**
 * Records when items, such as API keys, were last used. Times are collected in memory and stored by a
 * job, so there is at most one write per item and minute, and none during a request.
 */
export class LatestTimes<K extends string | number> {
  readonly #save: (tx: Transaction, key: K, atMs: number) => Promise<void>;
  /** The last noted times, stored or pending. */
  readonly #noted = new BoundedMap<K, number>(CACHED_MAX);
  #pending = new Map<K, number>();

  constructor(save: (tx: Transaction, key: K, atMs: number) => Promise<void>) {
    this.#save = save;
  }

  /** `savedMs` is the stored time when the item was loaded. */
  note(key: K, savedMs: number | null, nowMs: number): void {
    const noted = this.#noted.get(key) ?? savedMs ?? 0;
    // A time in the future was noted before the clock was set back, so it is overwritten.
    if (noted <= nowMs && nowMs - noted < WRITE_EVERY_MS) return;
    this.#noted.set(key, nowMs);
    this.#pending.set(key, nowMs);
  }

  /**
   * The time of the last known use. `savedMs` may have been read before a write that has finished since,
   * so noted times stay in memory after they are stored.
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
      // The next run tries again. Newer times replace these.
      this.#pending = new Map([...writing, ...this.#pending]);
      throw error;
    }
  }
}

/** The last-used times of one kind of item per site, and the job that stores them. */
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
