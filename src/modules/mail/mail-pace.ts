import { perSite, type Site } from '../../kernel/declare/site.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { mailsPerMinute } from './settings.ts';

/** After a pause of the store, the mails of this time are sent in a row. */
const BURST_MS = 2_000;
const REST_MS_MIN = 10_000;
/** A password that was forgotten during an outage waits no longer than this. */
const REST_MS_MAX = 2 * MINUTE_MS;

/** How fast mails are sent: at most at the rate of the setting, and slowly while the server defers them. */
class MailPace {
  readonly #site: Site;
  /** How many mails the rate allows now; may be a fraction. */
  #allowed = 1;
  #countedMs: number;
  /** Times in a row that the server has accepted none of the mails that it was given. */
  #deferrals = 0;
  #restsUntilMs = 0;

  constructor(site: Site) {
    this.#site = site;
    this.#countedMs = site.monotonic();
  }

  /** How many mails may be sent now, at most as many as wanted. After a rest it is one, which shows how things are. */
  available(wanted: number): number {
    const nowMs = this.#site.monotonic();
    if (nowMs < this.#restsUntilMs) return 0;
    const perMinute = this.#site.settings.get(mailsPerMinute);
    const most = this.#deferrals > 0 ? 1 : wanted;
    if (perMinute === 0) return most;
    const perMs = perMinute / MINUTE_MS;
    const all = this.#allowed + (nowMs - this.#countedMs) * perMs;
    this.#allowed = Math.min(all, Math.max(1, perMs * BURST_MS));
    this.#countedMs = nowMs;
    return Math.min(most, Math.floor(this.#allowed));
  }

  /** Counts mails that were given to the server. */
  count(mails: number): void {
    this.#allowed = Math.max(0, this.#allowed - mails);
  }

  /** The server has accepted a mail. */
  accepted(): void {
    this.#deferrals = 0;
    this.#restsUntilMs = 0;
  }

  /** The server has accepted none and wants them later, or cannot be reached. */
  deferred(): void {
    const restMs = Math.min(REST_MS_MIN * 2 ** this.#deferrals, REST_MS_MAX);
    this.#deferrals += 1;
    this.#restsUntilMs = this.#site.monotonic() + restMs;
  }
}

export const mailPaceOf = perSite((site) => new MailPace(site));
