import type { Transaction } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';

const WINDOW_MS = 60_000;
/** Total limit, so that many logins, callers or networks cannot fill the events table. */
const PER_WINDOW_MAX = 60;

type AddEvent = (tx: Transaction) => void;

/** Refusals that are not written yet: each once per minute, up to a total limit. */
class Refusals {
  readonly #site: Site;
  readonly #noted = new Set<string>();
  #windowBeganMs = -Infinity;
  #waiting: AddEvent[] = [];

  constructor(site: Site) {
    this.#site = site;
  }

  /** `who` identifies the caller and the refusal, which is recorded once per minute. */
  note(who: string, add: AddEvent): void {
    const nowMs = this.#site.monotonic();
    if (nowMs - this.#windowBeganMs >= WINDOW_MS) {
      this.#windowBeganMs = nowMs;
      this.#noted.clear();
    }
    if (this.#noted.has(who) || this.#noted.size >= PER_WINDOW_MAX) return;
    this.#noted.add(who);
    this.#waiting.push(add);
  }

  /** Writes the pending refusals in one transaction; after a failure the next run retries. */
  async write(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    try {
      await this.#site.database.transaction(async (tx) => {
        for (const add of waiting) add(tx);
      });
    } catch (error) {
      this.#waiting = [...waiting, ...this.#waiting].slice(0, PER_WINDOW_MAX);
      throw error;
    }
  }
}

export const refusalsOf = perSite((site) => new Refusals(site));
