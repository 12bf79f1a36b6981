import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { mailboxOf } from '../../shared/email-address.ts';
import type { Candidate } from './attribution/candidate-rows.ts';
import { hashCustomer, type PreparedOrder } from './order-input.ts';

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
export function isOwn(site: Site, order: PreparedOrder, coupon: Candidate): boolean {
  return order.mailboxHash !== null && order.mailboxHash === ownerHash(site, coupon.owner_email);
}
