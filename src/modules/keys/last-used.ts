import type { Job } from '../../kernel/job.ts';
import { perSite, type Site } from '../../kernel/site.ts';
import { saveLastUsed } from './key-store.ts';

const WRITE_EVERY_MS = 60_000;
const PENDING_MAX = 10_000;

/** When keys were last used. Kept in memory first: at most one write a minute for a key. */
class LastUsed {
  readonly #written = new Map<number, number>();
  #pending = new Map<number, number>();

  /** `savedMs` is what the database said when the key was read. */
  note(keyId: number, savedMs: number | null, nowMs: number): void {
    const written = this.#written.get(keyId) ?? savedMs ?? 0;
    if (nowMs - written < WRITE_EVERY_MS) return;
    if (this.#written.size >= PENDING_MAX) this.#written.clear();
    this.#written.set(keyId, nowMs);
    this.#pending.set(keyId, nowMs);
  }

  /** A use that is not written yet. */
  pendingFor(keyId: number): number | undefined {
    return this.#pending.get(keyId);
  }

  async write(site: Site): Promise<void> {
    if (this.#pending.size === 0) return;
    const pending = this.#pending;
    this.#pending = new Map();
    await site.database.transaction(async (tx) => {
      for (const [id, atMs] of pending) await saveLastUsed(tx, id, atMs);
    });
  }
}

export const lastUsedOf = perSite(() => new LastUsed());

export const writeLastUsed: Job = {
  name: 'keys.write-last-used',
  everyMs: 1_000,
  runsOn: 'each',
  atStop: true,
  run: (site) => lastUsedOf(site).write(site),
};
