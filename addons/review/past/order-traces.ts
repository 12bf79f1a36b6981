import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import type { PrepareReferralCheck } from '../../../src/modules/orders/index.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';
import { isPublicDomain, isThrowaway } from '../rules/mail-domains.ts';
import { REVIEW, rulesNow } from '../settings.ts';
import { insertTrace } from './trace-rows.ts';

/** How far a rule can look back. */
export const PAST_DAYS = 90;

const DOMAINS_MAX = 10_000;
const HASH_LENGTH = 22;

/** Many orders come from few domains; computing a hash costs as much as two statements. */
const hashes = perSite(() => new BoundedMap<string, string>(DOMAINS_MAX));

/** A domain is stored as a keyed hash only: it is compared with those of affiliates and of a list. */
export function hashDomain(site: Site, domain: string): string {
  const known = hashes(site);
  let hash = known.get(domain);
  if (hash === undefined) known.set(domain, (hash = computeHash(site, domain)));
  return hash;
}

/** Half of the bits tell domains apart as well, and take half of the room in an index. */
export function computeHash({ keyring }: Site, domain: string): string {
  return keyring.hash('mail-domain', domain).slice(0, HASH_LENGTH);
}

/**
 * Keeps what rules need to be tried on past orders: the domain of the customer's mailbox, which an order does not
 * store. Nothing is kept of a public provider, so most orders cost nothing.
 */
export const recordTraces: PrepareReferralCheck = async (tx, site) => {
  if (!site.registry.isOn(REVIEW)) return () => undefined;
  const { domains } = rulesNow(site).throwaway_mail;
  return ({ mailDomain }, { order_id }, _ownerEmail, nowMs) => {
    if (mailDomain === null) return;
    if (isPublicDomain(mailDomain, []) && !isThrowaway(mailDomain, domains)) return;
    const trace = { order_id, domain_hash: hashDomain(site, mailDomain), recorded_at: nowMs };
    insertTrace(tx, trace);
  };
};
