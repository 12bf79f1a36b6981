import type { Reader, Transaction } from '../../../db/database.ts';
import { Point } from '../../../kernel/declare/point.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { asksForCustomer, countsNewCustomers, type RewardRule } from '../../rewards/index.ts';
import { lifetimeOf } from '../attribution/candidate-rows.ts';
import type { IncomingOrder } from '../incoming-order.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { OrderRow } from '../order-rows.ts';
import { comparesIds } from '../restraints.ts';
import { countedStatuses, lifetimeAttribution } from '../settings.ts';
import { isOlder } from '../store-order.ts';
import { customerKeyOf, hashCustomer } from './hash-customer.ts';
import {
  anyLink,
  haveOrdered,
  linksOf,
  moveLimited,
  moveOrders,
  saveLink,
  storedVersions,
  type CustomerLink,
} from './link-rows.ts';
import { forgetOwner, replaceCustomers } from './owner-rows.ts';

/**
 * An order may name its customer by the store's id, by an email address, or by both. The address is the customer; an
 * order with both links the id to it, so that orders with the id alone have the same customer.
 *
 * Links are kept where something asks who a customer is: reward rules, bonuses or `attribution.lifetime`. Others pay
 * no statement for them, except for orders that have no address.
 */
export async function withLinkedCustomers(
  tx: Transaction,
  site: Site,
  incoming: readonly Linking[],
  { rules, lock }: { rules: readonly RewardRule[]; lock: () => Promise<void> },
): Promise<readonly PreparedOrder[]> {
  const orders = incoming.map(({ order }) => order);
  const isAsked = await areLinksKept(tx, site, rules);
  const named = keysOf(
    site,
    orders.filter((order) => isNamed(order) && (isAsked || !order.hasAddress)),
  );
  if (named.size === 0) return orders;
  await lock();
  const keys = [...named.values()];
  // Single orders share the lock: those of one customer wait for each other.
  if (isAsked && keys.length === 1) await tx.lock(`customer ${keys[0]!.key}`);
  const links = await findLinks(tx, keys);
  const added = new Map<string, AddedLink>();
  const isOwnAsked = comparesIds(site);
  const counted = new Set<string>(site.settings.get(countedStatuses));
  const isNew = (order: PreparedOrder, { key }: { readonly key: string }) =>
    order.hasAddress && order.customerHash !== links.get(key)?.customer_hash;
  const changing = new Set(
    isAsked ? [...named].flatMap(([order, id]) => (isNew(order, id) ? [id.key] : [])) : [],
  );
  const keyIn = (order: PreparedOrder) => named.get(order)?.key ?? '';
  const ignored = await ignoredAmong(
    tx,
    incoming.filter(({ order }) => changing.has(keyIn(order))),
    (order) => links.has(keyIn(order)),
  );
  const seenWith = new Map<PreparedOrder, string>();
  for (const [order, { key, idHash }] of isAsked ? named : []) {
    const known = links.get(key);
    if (known && isOwnAsked) seenWith.set(order, known.mailbox_hash);
    // What an order says about its customer is an estimate until it counts.
    if (!order.hasAddress || !counted.has(order.status) || ignored.has(order)) continue;
    if (known?.customer_hash === order.customerHash) continue;
    const link = linkOf(order, key);
    added.set(key, { idHash, link });
    links.set(key, link);
  }
  if (added.size > 0) await addLinks(tx, [...added.values()]);
  return orders.map((order) => {
    if (order.hasAddress) return withMailbox(order, seenWith.get(order));
    const link = links.get(keyIn(order));
    if (!link) return order;
    return { ...order, customerHash: link.customer_hash, mailboxHash: link.mailbox_hash };
  });
}

/**
 * Sorted orders in parts that end before an order links an id which an earlier one has alone: until then the id means
 * whom it meant before.
 */
export function untilLinked<I extends { readonly order: PreparedOrder }>(
  sorted: readonly I[],
): I[][] {
  const parts: I[][] = [[]];
  let alone = new Set<string>();
  for (const one of sorted) {
    const { customerId, hasAddress, storeId } = one.order;
    const id = customerId === null ? undefined : `${storeId} ${customerId}`;
    if (id !== undefined && hasAddress && alone.has(id)) {
      parts.push([]);
      alone = new Set();
    }
    if (id !== undefined && !hasAddress) alone.add(id);
    parts.at(-1)!.push(one);
  }
  return parts;
}

/** Whether something else asks who the customers of orders are. */
export const customersAsked = new Point<(db: Reader, site: Site) => Promise<boolean>>(
  'orders.customers-asked',
);

async function areLinksKept(
  db: Reader,
  site: Site,
  rules: readonly RewardRule[],
): Promise<boolean> {
  if (site.settings.get(lifetimeAttribution) || rules.some(asksWho)) return true;
  const asked = site.registry.contributions(customersAsked);
  return (await Promise.all(asked.map((isAsked) => isAsked(db, site)))).includes(true);
}

/**
 * Adds the mailbox that the store's id of a customer was seen with before, where own orders of affiliates are
 * recognized by it. Where links are kept, `withLinkedCustomers` has done so.
 */
export async function withLinkedMailboxes(
  tx: Transaction,
  site: Site,
  orders: readonly PreparedOrder[],
  rules: readonly RewardRule[],
): Promise<readonly PreparedOrder[]> {
  if (!comparesIds(site) || (await areLinksKept(tx, site, rules))) return orders;
  const asked = orders.filter((order) => isNamed(order) && order.hasAddress);
  // Where links are not kept, there are few or none, and a hash costs as much as two statements.
  if (asked.length === 0 || !(await anyLink(tx))) return orders;
  const named = keysOf(site, asked);
  const links = await findLinks(tx, [...named.values()]);
  return orders.map((order) =>
    withMailbox(order, links.get(named.get(order)?.key ?? '')?.mailbox_hash),
  );
}

function withMailbox(order: PreparedOrder, linkedMailboxHash: string | undefined): PreparedOrder {
  return linkedMailboxHash === undefined ? order : { ...order, linkedMailboxHash };
}

type Linking = Pick<IncomingOrder, 'order' | 'isHistory' | 'isSeenEarlier'>;

/**
 * Orders that change no link: outdated ones, those of a history, which are decided when all of it is stored, and decided
 * ones whose id has a link, since they name the same customer as when they were decided.
 */
async function ignoredAmong(
  db: Reader,
  incoming: readonly Linking[],
  isLinked: (order: PreparedOrder) => boolean,
): Promise<ReadonlySet<PreparedOrder>> {
  const ids = incoming.map(({ order }) => order.orderId);
  const rows = await db.allByKeys(storedVersions, [...new Set(ids)]);
  const stored = new Map(rows.map((row) => [row.order_id, row]));
  const changesNone = (one: Linking): boolean => {
    const known = stored.get(one.order.orderId);
    if (!known?.decided_at && one.isHistory) return true;
    if (!known) return false;
    if (isOlder(one, known.modified_at)) return true;
    return known.decided_at !== null && isLinked(one.order) && isSameCustomer(one.order, known);
  };
  return new Set(incoming.filter(changesNone).map(({ order }) => order));
}

interface AddedLink {
  readonly idHash: string;
  readonly link: CustomerLink;
}

/** Whether a rule asks who the customer of an order is. */
function asksWho(rule: RewardRule): boolean {
  return countsNewCustomers(rule) || asksForCustomer(rule) || rule.limit?.per === 'customer';
}

type CustomerKey = ReturnType<typeof idOf>;

/** Whether an order names its customer by the store's id. */
function isNamed({ customerId }: PreparedOrder): boolean {
  return customerId !== null;
}

function keysOf(site: Site, named: readonly PreparedOrder[]): Map<PreparedOrder, CustomerKey> {
  return new Map(named.map((order) => [order, idOf(site, order)]));
}

async function findLinks(
  db: Reader,
  keys: readonly CustomerKey[],
): Promise<Map<string, CustomerLink>> {
  const rows = await db.allByKeys(linksOf, [...new Set(keys.map(({ key }) => key))]);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Ids are those of a store: two connected stores may have the same for different people. */
function idOf(site: Site, { storeId, customerId }: PreparedOrder) {
  const idHash = hashCustomer(site, { id: customerId! })!;
  return { idHash, key: `${storeId ?? 0} ${idHash}` };
}

function linkOf({ customerHash, mailboxHash }: PreparedOrder, key: string): CustomerLink {
  // An order with an address has both.
  return { key, customer_hash: customerHash!, mailbox_hash: mailboxHash! };
}

/** Orders so far with the id alone get the customer of the address, and so do their limits and their affiliate. */
async function addLinks(tx: Transaction, links: readonly AddedLink[]): Promise<void> {
  for (const { link } of links) saveLink(tx, link);
  const keys = new Set(links.map(({ idHash }) => customerKeyOf(idHash)));
  const found = await tx.allByKeys(haveOrdered, [...keys]);
  const ordered = new Set(found.map(({ customer_hash }) => customer_hash));
  for (const { idHash: from, link } of links) {
    const { key, customer_hash: to } = link;
    if (!ordered.has(from)) continue;
    const store_id = Number(key.split(' ', 1)[0]);
    const move = { from, to, key: customerKeyOf(from), store_id };
    await moveLimited(tx, { ...move, subject: `customer ${from}`, next: `customer ${to}` });
    await moveOrders(tx, move);
    await joinOwners(tx, from, to);
  }
}

/** The customer stays with the affiliate who brought them first. */
async function joinOwners(tx: Transaction, from: string, to: string): Promise<void> {
  const owners = await tx.allByKeys(lifetimeOf, [from, to]);
  const earlier = owners.find(({ customer_hash }) => customer_hash === from);
  if (!earlier) return;
  const known = owners.find(({ customer_hash }) => customer_hash === to);
  const isAssigned = known?.is_assigned === 1;
  if (!known || (!isAssigned && (earlier.credited_at ?? 0) < (known.credited_at ?? 0))) {
    await tx.runMany(replaceCustomers, [{ ...earlier, customer_hash: to }]);
  }
  await forgetOwner(tx, { customer_hash: from });
}

/** A decided order that names the same customer as before keeps the one that it has, whatever the links are now. */
export function withKnownCustomer(order: PreparedOrder, known: OrderRow | undefined) {
  if (!known || known.decided_at === null) return order;
  if (known.customer_hash === order.customerHash || !isSameCustomer(order, known)) return order;
  return { ...order, customerHash: known.customer_hash };
}

function isSameCustomer(order: PreparedOrder, known: Pick<OrderRow, 'content'>): boolean {
  return customerIn(order.content) === customerIn(known.content);
}

/** The hash of the customer as the store sent it. Quotes in other fields are escaped. */
function customerIn(content: string): string | undefined {
  return /"customer":(?:"[^"]*"|null)/.exec(content)?.[0];
}

/**
 * Remembers the store's id of an affiliate who ordered: orders with the id alone are own, too. Once it was seen with
 * the affiliate's mailbox, other addresses do not change that.
 */
export function linkOwnOrder(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  mailbox_hash: string,
): void {
  if (order.customerId === null || !order.hasAddress) return;
  const { key } = idOf(site, order);
  saveLink(tx, { ...linkOf(order, key), mailbox_hash });
}
