import { sql, type RawBuilder } from 'kysely';
import type { Site } from '../../../kernel/declare/site.ts';
import { foldAddress, mailboxOf } from '../../../shared/email-address.ts';
import type { OrderInput } from '../order-fields.ts';

/** A customer is stored only as a keyed hash: it recognizes a returning customer and reveals nothing else. */
export function hashCustomer(site: Site, customer: OrderInput['customer']): string | null {
  const email = customer?.email && foldAddress(customer.email);
  if (email) return site.keyring.hash('customer', `email ${email}`);
  return customer?.id === undefined ? null : site.keyring.hash('customer', `id ${customer.id}`);
}

/** Stores send 0 with the orders of guests. */
export function customerIdIn(customer: OrderInput['customer']): string | null {
  const id = customer?.id;
  return id === undefined || String(id) === '0' ? null : String(id);
}

/** Addresses that may be another spelling of a mailbox; nearly all others need not be folded once more. */
const MAY_SHARE_MAILBOX = /[+]|gmail|googlemail|[^\x20-\x7e]/i;

/** Most addresses are those of their mailbox: a second hash would cost as much as two statements. */
export function hashMailbox(
  site: Site,
  customer: OrderInput['customer'],
  customerHash: string | null,
): string | null {
  if (!customer?.email || !MAY_SHARE_MAILBOX.test(customer.email)) return customerHash;
  const email = foldAddress(customer.email);
  const mailbox = mailboxOf(email);
  return mailbox === email ? customerHash : hashCustomer(site, { email: mailbox });
}

/**
 * The length of the prefix of the hash in the index of orders by customer. An index of whole hashes costs every order
 * about 4 % more CPU time (measured in batches), also where no rule asks for customers.
 */
const KEY_LENGTH = 8;

export function customerKeyOf(hash: string): string {
  return hash.slice(0, KEY_LENGTH);
}

/** A few customers may have the same one, so queries compare the whole hash as well. */
export function customerKey(table: string): RawBuilder<string> {
  return sql<string>`substr(${sql.ref(`${table}.customer_hash`)}, 1, ${sql.lit(KEY_LENGTH)})`;
}
