import type { Job } from '../../kernel/declare/job.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUserByName, recipientOf, type UserRow } from '../users/index.ts';
import { createAccountLink, mayMailLink } from './account-link.ts';
import { resetMail } from './link-mails.ts';

const WAITING_MAX = 1_000;

/**
 * Requests for a link to an address. They wait in memory for the job below, so that the answer is the same and takes
 * the same time whether an account has the address or not: nothing is looked up before it.
 */
class LinkRequests {
  readonly #site: Site;
  readonly #waiting = new Set<string>();
  #running: Promise<void> = Promise.resolve();

  constructor(site: Site) {
    this.#site = site;
  }

  /** When too many wait, the newest are dropped: their senders can ask again. */
  note(email: string): void {
    if (this.#waiting.size >= WAITING_MAX) return;
    this.#waiting.add(email.toLowerCase());
  }

  /** Waits for a run that is under way, such as the last one before the process stops. */
  serve(): Promise<void> {
    const run = this.#running.then(() => this.#serveAll());
    this.#running = run.catch(() => {});
    return run;
  }

  async #serveAll(): Promise<void> {
    // A request is removed once it is served: an outage of the database only delays it.
    for (const email of this.#waiting) {
      const user = await findUserByName(this.#site.database.read, email);
      if (user && user.disabled_at === null) await this.#mail(user);
      this.#waiting.delete(email);
    }
  }

  async #mail(user: UserRow): Promise<void> {
    const site = this.#site;
    const nowMs = site.clock();
    await site.database.transaction(async (tx) => {
      if (!(await mayMailLink(tx, user.id, 'reset', nowMs))) return;
      const of = { userId: user.id, purpose: 'reset' } as const;
      const link = await createAccountLink(tx, site, of, nowMs);
      enqueueMail(tx, site, resetMail, {
        to: { ...recipientOf(user), name: user.display_name },
        data: { name: user.display_name },
        link,
        key: `${resetMail.name}:${user.id}:${randomBase62(12)}`,
        nowMs,
      });
    });
  }
}

export const linkRequestsOf = perSite((site) => new LinkRequests(site));

export const mailLinks: Job = {
  name: 'accounts.mail-links',
  everyMs: 1_000,
  runsOn: 'each',
  atStop: true,
  run: (site) => linkRequestsOf(site).serve(),
};

const PER_NETWORK = 10;

/** Whether this network may ask for one more link in this minute. */
export async function takeFromLinkLimit({ limits }: Site, network: string): Promise<boolean> {
  return (await limits.take(`account links from ${network}`, PER_NETWORK)).allowed;
}
