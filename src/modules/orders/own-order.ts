import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { mailboxOf } from '../../shared/email-address.ts';
import type { Candidate } from './attribution/candidate-rows.ts';
import { hashCustomer, type PreparedOrder } from './order-input.ts';
import { ownOrderPolicy } from './restraints.ts';
import { allowSelf } from './settings.ts';

const OWNERS_MAX = 10_000;

/** Hashes of the owners' mailboxes: computing one costs as much as two statements. */
const ownerHashes = perSite(() => new BoundedMap<string, string>(OWNERS_MAX));

function ownerHash(site: Site, email: string): string {
  const hashes = ownerHashes(site);
  let hash = hashes.get(email);
  if (hash === undefined) {
    hashes.set(email, (hash = hashCustomer(site, { email: mailboxOf(email) })!));
  }
  return hash;
}

/** Whether the customer of the order is the owner of the coupon: both addresses lead to the same mailbox. */
export function isOwnOrder(site: Site, order: PreparedOrder, ownerEmail: string): boolean {
  return order.mailboxHash !== null && order.mailboxHash === ownerHash(site, ownerEmail);
}

/** Whether it earns nothing because of that. */
export function isSelf(site: Site, order: PreparedOrder, coupon: Candidate): boolean {
  if (!isOwnOrder(site, order, coupon.owner_email) || site.settings.get(allowSelf)) return false;
  return site.registry.contributions(ownOrderPolicy).every((rejects) => rejects(site));
}
