import type { Reader, Transaction } from '../../../db/database.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { isCounted } from '../commission/referral-terms.ts';
import { emitOwnerChange } from '../customers/owner-events.ts';
import { replaceCustomers } from '../customers/owner-rows.ts';
import type { PreparedOrder } from '../order-input.ts';
import { lifetimeAttribution, lifetimeExtends, stayEndsMs } from '../settings.ts';
import type { Via } from '../tables.ts';
import { lifetimeOf, type AccountKey } from './candidate-rows.ts';

type Customer = RowOf<'lifetime_customers'>;

/** Of two orders that bring the same customer, the one that was placed earlier does, unless the team said whose it is. */
const rememberCustomers = insertRows<Customer>('lifetime_customers', {
  on: ['customer_hash'],
  keep: [],
  unlessLower: 'credited_at',
  unlessSet: 'is_assigned',
});

class PendingCustomers implements PendingWrites {
  readonly remembered = new Map<string, Customer>();
  readonly replaced = new Map<string, Customer>();

  async flush(tx: Transaction): Promise<void> {
    await tx.runMany(rememberCustomers, [...this.remembered.values()]);
    await tx.runMany(replaceCustomers, [...this.replaced.values()]);
  }
}

const customers = defineWrites({
  name: 'lifetime-customers',
  after: 'attribution',
  create: () => new PendingCustomers(),
});

/** To which affiliates customers belong, as the orders before have left it. */
export async function readLifetimeCustomers(
  db: Reader,
  site: Site,
  orders: readonly PreparedOrder[],
) {
  // Else customers are noted, and belong to no affiliate yet.
  const isOn = site.settings.get(lifetimeAttribution);
  // Most customers are known: reading them costs less than an upsert that changes nothing, which locks a row.
  const hashes = new Set<string>();
  for (const { customerHash, status } of orders) {
    if (customerHash !== null && (isOn || isCounted(site, status))) hashes.add(customerHash);
  }
  const rows = await db.allByKeys(lifetimeOf, [...hashes]);
  const known = new Map(rows.map((row) => [row.customer_hash, row]));
  /** By order, what it says of its customer. */
  const changes = new Map<number, { readonly before: Customer; readonly after: Customer }>();

  function accounts(): AccountKey[] {
    return isOn ? [...known.values()] : [];
  }

  /** The account that the customer of an order belongs to; undefined before the order that brought them, and after their time. */
  function accountOf({ customerHash, placedAtMs }: PreparedOrder): AccountKey | undefined {
    const stored = isOn ? known.get(customerHash ?? '') : undefined;
    if (!stored || placedAtMs < (stored.credited_at ?? 0)) return undefined;
    return placedAtMs <= endOf(stored) ? stored : undefined;
  }

  /** Notes an order that counts: it may have brought its customer, or make them stay longer. */
  function note(tx: Transaction, order: PreparedOrder, account: AccountKey, via: Via): void {
    const { customerHash: customer_hash, placedAtMs: credited_at } = order;
    if (customer_hash === null) return;
    const { coupon_id, user_id } = account;
    const row = {
      customer_hash,
      coupon_id,
      user_id,
      credited_at,
      extended_at: null,
      is_assigned: 0,
    };
    const stored = known.get(customer_hash);
    if (!stored || !isOn) {
      if (via === 'lifetime' || (stored && stored.credited_at! <= credited_at)) return;
      known.set(customer_hash, row);
      tx.pending(customers).remembered.set(customer_hash, row);
    } else if (credited_at < (stored.credited_at ?? 0)) {
      // An earlier order of a stay that had ended by then moves nothing back.
      const isOver = endOf(row) < stored.credited_at!;
      if (via === 'lifetime' || stored.is_assigned === 1 || isOver) return;
      replace(tx, { ...row, extended_at: stored.extended_at });
      changes.set(order.orderId, { before: stored, after: row });
    } else if (credited_at > endOf(stored)) {
      if (via !== 'lifetime') replace(tx, row);
    } else if (
      stored.user_id === user_id &&
      stored.credited_at !== null &&
      (stored.extended_at ?? stored.credited_at) < credited_at &&
      site.settings.get(lifetimeExtends)
    ) {
      replace(tx, { ...stored, extended_at: credited_at });
    }
  }

  function emitChanges(tx: Transaction, { orderId }: PreparedOrder, nowMs: number): void {
    const change = changes.get(orderId);
    if (!change) return;
    changes.delete(orderId);
    emitOwnerChange(tx, orderId, change.before, change.after, { actorId: 0, nowMs });
  }

  function replace(tx: Transaction, row: Customer): void {
    known.set(row.customer_hash, row);
    tx.pending(customers).replaced.set(row.customer_hash, row);
  }

  function endOf({
    credited_at,
    extended_at,
  }: Pick<Customer, 'credited_at' | 'extended_at'>): number {
    return stayEndsMs(site, extended_at ?? credited_at);
  }

  return { accounts, accountOf, note, emitChanges };
}
