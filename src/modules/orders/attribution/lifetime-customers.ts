import type { RowOf } from '../../../db/tables.ts';
import type { Reader, Transaction } from '../../../db/database.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { emitOwnerChange } from '../customers/owner-events.ts';
import { replaceCustomers } from '../customers/owner-rows.ts';
import { isCounted } from '../commission/referral-terms.ts';
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
export class LifetimeCustomers {
  readonly #site: Site;
  readonly #known: Map<string, Customer>;
  /** By order, what it says of its customer. */
  readonly #changes = new Map<number, { readonly before: Customer; readonly after: Customer }>();
  /** Else customers are noted, and belong to no affiliate yet. */
  readonly #isOn: boolean;

  static async read(
    db: Reader,
    site: Site,
    orders: readonly PreparedOrder[],
  ): Promise<LifetimeCustomers> {
    const isOn = site.settings.get(lifetimeAttribution);
    // Most customers are known: reading them costs less than an upsert that changes nothing, which locks a row.
    const hashes = new Set<string>();
    for (const { customerHash, status } of orders) {
      if (customerHash !== null && (isOn || isCounted(site, status))) hashes.add(customerHash);
    }
    const known = await db.allByKeys(lifetimeOf, [...hashes]);
    return new LifetimeCustomers(site, isOn, known);
  }

  private constructor(site: Site, isOn: boolean, known: readonly Customer[]) {
    this.#site = site;
    this.#isOn = isOn;
    this.#known = new Map(known.map((row) => [row.customer_hash, row]));
  }

  accounts(): AccountKey[] {
    return this.#isOn ? [...this.#known.values()] : [];
  }

  /** The account that the customer of an order belongs to; undefined before the order that brought them, and after their time. */
  accountOf({ customerHash, placedAtMs }: PreparedOrder): AccountKey | undefined {
    const known = this.#isOn ? this.#known.get(customerHash ?? '') : undefined;
    if (!known || placedAtMs < (known.credited_at ?? 0)) return undefined;
    return placedAtMs <= this.#endOf(known) ? known : undefined;
  }

  /** Notes an order that counts: it may have brought its customer, or make them stay longer. */
  note(tx: Transaction, order: PreparedOrder, account: AccountKey, via: Via): void {
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
    const known = this.#known.get(customer_hash);
    if (!known || !this.#isOn) {
      if (via === 'lifetime' || (known && known.credited_at! <= credited_at)) return;
      this.#known.set(customer_hash, row);
      tx.pending(customers).remembered.set(customer_hash, row);
    } else if (credited_at < (known.credited_at ?? 0)) {
      // An earlier order of a stay that had ended by then moves nothing back.
      const isOver = this.#endOf(row) < known.credited_at!;
      if (via === 'lifetime' || known.is_assigned === 1 || isOver) return;
      this.#replace(tx, { ...row, extended_at: known.extended_at });
      this.#changes.set(order.orderId, { before: known, after: row });
    } else if (credited_at > this.#endOf(known)) {
      if (via !== 'lifetime') this.#replace(tx, row);
    } else if (
      known.user_id === user_id &&
      known.credited_at !== null &&
      (known.extended_at ?? known.credited_at) < credited_at &&
      this.#site.settings.get(lifetimeExtends)
    ) {
      this.#replace(tx, { ...known, extended_at: credited_at });
    }
  }

  emitChanges(tx: Transaction, { orderId }: PreparedOrder, nowMs: number): void {
    const change = this.#changes.get(orderId);
    if (!change) return;
    this.#changes.delete(orderId);
    emitOwnerChange(tx, orderId, change.before, change.after, { actorId: 0, nowMs });
  }

  #replace(tx: Transaction, row: Customer): void {
    this.#known.set(row.customer_hash, row);
    tx.pending(customers).replaced.set(row.customer_hash, row);
  }

  #endOf({ credited_at, extended_at }: Pick<Customer, 'credited_at' | 'extended_at'>): number {
    return stayEndsMs(this.#site, extended_at ?? credited_at);
  }
}
