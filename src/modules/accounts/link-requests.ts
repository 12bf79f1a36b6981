import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Job } from '../../kernel/declare/job.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { foldAddress } from '../../shared/email-address.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUserByName, recipientOf, type UserRow } from '../users/index.ts';
import { createAccountLink, mayMailLink } from './account-link.ts';
import { resetMail, signInMail } from './link-mails.ts';

const WAITING_MAX = 1_000;

/** The links that anyone can ask for, with their mails. */
const requestedMails = { reset: resetMail, 'sign-in': signInMail };
type RequestedPurpose = keyof typeof requestedMails;

interface LinkRequest {
  readonly email: string;
  readonly purpose: RequestedPurpose;
  readonly network: string;
}

/**
 * Requests for a link to an address. They wait in memory for the job below, so that the answer is the same and takes
 * the same time whether an account has the address or not: nothing is looked up before it.
 */
class LinkRequests {
  readonly #site: Site;
  readonly #waiting = new Map<string, LinkRequest>();
  #running: Promise<void> = Promise.resolve();

  constructor(site: Site) {
    this.#site = site;
  }

  /** When too many wait, the newest are dropped: their senders can ask again. */
  note(address: string, purpose: RequestedPurpose, network: string): void {
    if (this.#waiting.size >= WAITING_MAX) return;
    const email = foldAddress(address);
    this.#waiting.set(`${purpose} ${email} ${network}`, { email, purpose, network });
  }

  /** Waits for a run that is under way, such as the last one before the process stops. */
  serve(): Promise<void> {
    const run = this.#running.then(() => this.#serveAll());
    this.#running = run.catch(() => {});
    return run;
  }

  async #serveAll(): Promise<void> {
    // A request is removed once it is served: an outage of the database only delays it.
    for (const [key, { email, purpose, network }] of this.#waiting) {
      const user = await findUserByName(this.#site.database.read, email);
      if (user && mayGetLink(user, purpose)) await this.#mail(user, purpose, network);
      this.#waiting.delete(key);
    }
  }

  async #mail(user: UserRow, purpose: RequestedPurpose, network: string): Promise<void> {
    const site = this.#site;
    const nowMs = site.clock();
    const mail = requestedMails[purpose];
    await site.database.transaction(async (tx) => {
      const wanted = { userId: user.id, purpose, network };
      if (!(await mayMailLink(tx, site, wanted, nowMs))) return;
      const link = await createAccountLink(tx, site, wanted, nowMs);
      enqueueMail(tx, site, mail, {
        to: { ...recipientOf(user), name: user.display_name },
        data: { name: user.display_name },
        link,
        key: `${mail.name}:${user.id}:${randomBase62(12)}`,
        nowMs,
      });
    });
  }
}

/** A person without a password has an invitation to accept first. */
function mayGetLink(user: UserRow, purpose: RequestedPurpose): boolean {
  if (user.disabled_at !== null) return false;
  return purpose !== 'sign-in' || user.password_hash !== null;
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

/** Throws if this network may not ask for one more link in this minute. */
export async function takeFromLinkLimit({ limits }: Site, network: string): Promise<void> {
  const { allowed } = await limits.take(`account links from ${network}`, PER_NETWORK);
  if (!allowed) throw new ApiError(generalErrors.rateLimited, { data: { retry_after: 60 } });
}
