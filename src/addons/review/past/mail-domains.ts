import { setImmediate as nextTurn } from 'node:timers/promises';
import { domainOf } from '../../../shared/email-address.ts';
import { isPublicDomain, throwawayDomains } from '../rules/mail-domains.ts';
import { PAGE, pagesOfEarners, referralsOfOrders } from './look-back.ts';
import type { FoundReferral, LookBack, Past } from './look-back.ts';
import { computeHash, hashDomain } from './order-traces.ts';
import { pagesOfTraces } from './trace-rows.ts';

/** Orders of customers at domains that the affiliate's mailbox is at, too. */
export const lookForSamePeople: LookBack = async (past, found) => {
  const { site, options } = past;
  const people = new Map<string, Set<number>>();
  for await (const earners of pagesOfEarners(site.database.read)) {
    for (const { id, email } of earners) {
      const domain = domainOf(email);
      if (domain === null || isPublicDomain(domain, options.same_people.public_domains)) continue;
      const hash = hashDomain(site, domain);
      people.set(hash, (people.get(hash) ?? new Set()).add(id));
    }
  }
  for await (const [hash, row] of tracedReferrals(past, people.keys())) {
    if (people.get(hash)!.has(row.user_id)) found.add(row);
  }
};

/** Orders of customers with throw-away mailboxes. */
export const lookForThrowawayMail: LookBack = async (past, found) => {
  const { site, options } = past;
  const listed = new Set<string>();
  for (const domain of throwawayDomains(options.throwaway_mail.domains)) {
    listed.add(computeHash(site, domain));
    if (listed.size % PAGE === 0) await nextTurn();
  }
  for await (const [, row] of tracedReferrals(past, listed)) found.add(row);
};

/** The referrals of past orders whose customer's domain has one of these hashes, each with that hash. */
async function* tracedReferrals(
  { site, sinceMs }: Past,
  hashes: Iterable<string>,
): AsyncGenerator<[string, FoundReferral]> {
  const { read } = site.database;
  for await (const page of pagesOfTraces(read, [...hashes])) {
    const domains = new Map(page.map(({ order_id, domain_hash }) => [order_id, domain_hash]));
    for (const row of await referralsOfOrders(read, [...domains.keys()])) {
      if (row.placed_at >= sinceMs) yield [domains.get(row.order_id)!, row];
    }
  }
}
