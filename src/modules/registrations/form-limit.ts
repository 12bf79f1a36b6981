import { anonymousRatePerMinute } from '../../kernel/limits.ts';
import { perSite, type Site } from '../../kernel/site.ts';

const MINUTE_MS = 60_000;
const PER_ADDRESS = 10;

/**
 * The form is as limited as the API: as many applications a minute as all strangers together may
 * make requests there, and few of them from one address.
 */
class FormLimit {
  readonly #site: Site;
  readonly #byAddress = new Map<string, number>();
  #total = 0;
  #minute = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Whether one more from there is let through. */
  take(address: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#total = 0;
      this.#byAddress.clear();
    }
    const count = this.#byAddress.get(address) ?? 0;
    const isFull = this.#total >= this.#site.settings.get(anonymousRatePerMinute);
    if (isFull || count >= PER_ADDRESS) return false;
    this.#total += 1;
    this.#byAddress.set(address, count + 1);
    return true;
  }
}

export const formLimitOf = perSite((site) => new FormLimit(site));
