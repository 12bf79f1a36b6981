import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readByNumbers, readFirst } from '../../../db/statements/calls.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { NO_EARLIER, type EarlierOrders } from '../customers/customer-orders.ts';
import { customerKey, customerKeyOf } from '../customers/customer-key.ts';
import { orderStatuses } from '../settings.ts';
import type { Place } from '../order-place.ts';
import type { TrialRow } from './trial-rows.ts';

/** An order of a customer that has counted. */
interface PageOrder {
  customer_hash: string;
  order_id: number;
  day: string;
  /** 1 if it was credited to an affiliate. */
  credited: number;
}

const creditedColumn = sql<number>`case when exists (select 1 from referrals
  where referrals.order_id = orders.order_id and referrals.dropped = 0) then 1 else 0 end`.as(
  'credited',
);

/** As `hasCounted` says. */
const counted = sql<boolean>`orders.decided_at is not null
  and orders.status not in ('cancelled', 'failed')`;

const customersOf = readByNumbers<PageOrder>((db, isKey) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'customer_hash', 'day'])
    .select(creditedColumn)
    .where(isKey('order_id'))
    .where('customer_hash', 'is not', null)
    .where(counted)
    .$narrowType<{ customer_hash: string }>(),
);

/** What customers had ordered before an order, in the order in which orders are tried. */
const earlierThan = readAll<Place & { keys: string }, EarlierOrders & { customer_hash: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('orders')
          .select(['customer_hash', 'day'])
          .select(creditedColumn)
          .where(dialect.inJsonArray(customerKey('orders'), p.keys, 'text'))
          .where('customer_hash', 'is not', null)
          .where(sql<boolean>`(placed_at, order_id) < (${p.placed_at}, ${p.order_id})`)
          .where(counted)
          .as('earlier'),
      )
      .select(['customer_hash'])
      .select([
        sql<number>`count(*)`.as('orders'),
        sql<number>`sum(credited)`.as('credited'),
        sql<string | null>`min(case when credited = 1 then day end)`.as('since'),
      ])
      .groupBy('customer_hash')
      .$narrowType<{ customer_hash: string }>(),
);

const anyBefore = readFirst<{ placed_at: number }, { order_id: number }>((db, p) =>
  db
    .selectFrom('orders')
    .select('order_id')
    // By these two, an index finds it.
    .where('status', 'in', orderStatuses)
    .where('placed_at', '<', p.placed_at)
    .limit(sql.lit(1)),
);

/** Enough for the customers of most stores; those of others are read again. */
const KEPT_MAX = 100_000;
/** Customers may have hundreds of orders, and other requests wait for a statement on SQLite. */
const AT_ONCE_MAX = 25;

/**
 * What customers have ordered before each order of a trial. Reading all their orders for each of them takes a time that
 * grows with the square of how often they order, so it is counted along.
 */
export class TrialCustomers {
  readonly #db: Reader;
  readonly #kept = new BoundedMap<string, EarlierOrders>(KEPT_MAX);
  #orders = new Map<number, PageOrder>();
  #earlier = new Map<string, EarlierOrders>();
  #isAsked = false;
  /** Whether no order is before the trial and all customers so far are kept: then one that is not kept is new. */
  #knowsAll: boolean | undefined;

  constructor(db: Reader) {
    this.#db = db;
  }

  /** Begins a page of orders, some of which are tried. `isAsked`: a rule asks for customers; all that follow then count. */
  async read(
    places: readonly Place[],
    tried: Iterable<{ readonly row: TrialRow }>,
    isAsked: boolean,
  ): Promise<void> {
    this.#isAsked ||= isAsked;
    if (!this.#isAsked) {
      // Orders that are left out are not counted.
      this.#knowsAll = false;
      return;
    }
    this.#knowsAll ??= !(await anyBefore(this.#db, places[0]!));
    if (this.#kept.size + this.#earlier.size > KEPT_MAX) this.#knowsAll = false;
    for (const [hash, earlier] of this.#earlier) this.#kept.set(hash, earlier);
    this.#earlier = new Map();
    this.#orders = new Map();
    for (const { row } of tried) this.#add(row);
    const others = places.filter(({ order_id }) => !this.#orders.has(order_id));
    for (const order of await customersOf(
      this.#db,
      others.map(({ order_id }) => order_id),
    )) {
      this.#orders.set(order.order_id, order);
    }
    const unknown = new Set<string>();
    for (const { customer_hash: hash } of this.#orders.values()) {
      const kept = this.#kept.get(hash);
      this.#earlier.set(hash, kept ?? NO_EARLIER);
      if (!kept) unknown.add(hash);
    }
    if (!this.#knowsAll) await this.#readEarlier([...unknown], places[0]!);
  }

  async #readEarlier(hashes: readonly string[], before: Place): Promise<void> {
    for (let i = 0; i < hashes.length; i += AT_ONCE_MAX) {
      const keys = hashes.slice(i, i + AT_ONCE_MAX).map(customerKeyOf);
      const params = { ...before, keys: JSON.stringify(keys) };
      for (const { customer_hash, ...earlier } of await earlierThan(this.#db, params)) {
        if (this.#earlier.has(customer_hash)) this.#earlier.set(customer_hash, earlier);
      }
      await nextTurn();
    }
  }

  /** An order that is tried was credited. */
  #add({ order_id, customer_hash, day }: TrialRow): void {
    if (customer_hash === null) return;
    this.#orders.set(order_id, { order_id, customer_hash, day, credited: 1 });
  }

  /** What a customer had ordered before the order that is tried. */
  before(customerHash: string | null): EarlierOrders {
    return this.#earlier.get(customerHash ?? '') ?? NO_EARLIER;
  }

  /** Goes on to the next order. Returns whether this one is the first of its customer. */
  note(orderId: number): boolean {
    const order = this.#orders.get(orderId);
    if (!order) return false;
    const earlier = this.before(order.customer_hash);
    this.#earlier.set(order.customer_hash, withOrder(earlier, order));
    return earlier.orders === 0;
  }
}

/** The orders before one, with another one that follows them. */
function withOrder(
  { orders, credited, since }: EarlierOrders,
  next: Pick<PageOrder, 'day' | 'credited'>,
): EarlierOrders {
  const isFirst = next.credited === 1 && (since === null || next.day < since);
  return {
    orders: orders + 1,
    credited: credited + next.credited,
    since: isFirst ? next.day : since,
  };
}
