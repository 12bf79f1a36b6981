import type { Transaction } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { mailboxOf } from '../../shared/email-address.ts';
import type { Candidate } from './attribution/candidate-rows.ts';
import { linkOwnOrder } from './customers/customer-links.ts';
import { hashCustomer } from './customers/hash-customer.ts';
import type { PreparedOrder } from './order-input.ts';
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

/** What says that the customer of an order is the owner of the coupon. */
type OwnBy = 'mailbox' | 'customer_id';

/**
 * How the owner of the coupon is recognized as the customer of the order: both addresses lead to the same mailbox, or
 * the store's id of the customer was seen with that mailbox.
 */
export function ownOrderBy(
  site: Site,
  { mailboxHash, linkedMailboxHash }: PreparedOrder,
  ownerEmail: string,
): OwnBy | undefined {
  if (mailboxHash === null && linkedMailboxHash === null) return undefined;
  const owner = ownerHash(site, ownerEmail);
  if (mailboxHash === owner) return 'mailbox';
  return linkedMailboxHash === owner ? 'customer_id' : undefined;
}

interface OwnOrder {
  /** It earns nothing. */
  readonly isVoid: boolean;
  /** The hash of the owner's mailbox. */
  readonly mailboxHash: string;
}

/** Whether an order is the owner's own; undefined also where affiliates may earn on their own orders. */
export function ownOrderOf(
  site: Site,
  order: PreparedOrder,
  { owner_email }: Candidate,
): OwnOrder | undefined {
  if (!ownOrderBy(site, order, owner_email) || site.settings.get(allowSelf)) return undefined;
  const policies = site.registry.contributions(ownOrderPolicy);
  return {
    isVoid: policies.every((policy) => policy.rejects(site)),
    mailboxHash: ownerHash(site, owner_email),
  };
}

/**
 * Whether an order is a purchase by an affiliate above, who must not earn on it. The store's id of the customer
 * is remembered, as for own orders.
 */
export function isOwnPurchase(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  email: string,
): boolean {
  if (!ownOrderBy(site, order, email) || site.settings.get(allowSelf)) return false;
  linkOwnOrder(tx, site, order, ownerHash(site, email));
  const policies = site.registry.contributions(ownOrderPolicy);
  return policies.every((policy) => policy.comparesIds(site));
}
