import { perSite } from '../../kernel/site.ts';

const CLICKS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const ADDRESSES_MAX = 100_000;

/** How many clicks of one address are recorded in a minute: nobody clicks faster than that. */
class RecordingLimit {
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /** Whether one more click from there is to be recorded. */
  take(address: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const count = this.#counts.get(address) ?? 0;
    const isFull = count === 0 && this.#counts.size >= ADDRESSES_MAX;
    if (count >= CLICKS_PER_MINUTE || isFull) return false;
    this.#counts.set(address, count + 1);
    return true;
  }
}

export const recordingLimitOf = perSite(() => new RecordingLimit());
