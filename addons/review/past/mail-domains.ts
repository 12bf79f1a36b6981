import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { domainOf } from '../../../src/shared/email-address.ts';
import { isPublicDomain, throwawayDomains } from '../rules/mail-domains.ts';
import { PAGE, pagesOfEarners, sizeOfPage, type LookBack } from './look-back.ts';
import { computeHash, hashDomain } from './order-traces.ts';
import { pagesOfTraced } from './trace-rows.ts';

/** A statement looks at as many orders: a few milliseconds. */
const ORDERS_AT_ONCE = 1_000;

const pagesOf = (site: Site, hashes: Iterable<string>, sinceMs: number) =>
  pagesOfTraced(site.database.read, [...hashes], sinceMs, sizeOfPage(site, ORDERS_AT_ONCE));

/** Orders of customers at domains that the affiliate's mailbox is at, too. */
export const lookForSamePeople: LookBack = async ({ site, sinceMs, options }, found) => {
  const people = new Map<string, Set<number>>();
  for await (const earners of pagesOfEarners(site.database.read)) {
    for (const { id, email } of earners) {
      const domain = domainOf(email);
      if (domain === null || isPublicDomain(domain, options.same_people.public_domains)) continue;
      const hash = hashDomain(site, domain);
      people.set(hash, (people.get(hash) ?? new Set()).add(id));
    }
  }
  for await (const page of pagesOf(site, people.keys(), sinceMs)) {
    for (const row of page) if (people.get(row.domain_hash)!.has(row.user_id)) found.add(row);
  }
};

/** Orders of customers with throw-away mailboxes. */
export const lookForThrowawayMail: LookBack = async ({ site, sinceMs, options }, found) => {
  const listed = new Set<string>();
  for (const domain of throwawayDomains(options.throwaway_mail.domains)) {
    listed.add(computeHash(site, domain));
    if (listed.size % PAGE === 0) await nextTurn();
  }
  for await (const page of pagesOf(site, listed, sinceMs)) {
    for (const row of page) found.add(row);
  }
};
