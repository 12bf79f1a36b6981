import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { BoundedMap } from '../../../shared/bounded-map.ts';
import { listIn } from '../commission/reward-limits.ts';
import type { PreparedOrder } from '../order-input.ts';
import { byPlace, type Place } from '../order-place.ts';
import type { OrderRow } from '../order-rows.ts';
import type { OrderStatus } from '../settings.ts';

/** The orders of a customer that counted and were placed before another one. */
export interface EarlierOrders {
  readonly orders: number;
  /** How many of them were credited to an affiliate, and the day of the first of these. */
  readonly credited: number;
  readonly since: string | null;
}

const NO_EARLIER: EarlierOrders = { orders: 0, credited: 0, since: null };

/** An order that has counted once counts among those of its customer, unless it was cancelled since. */
function hasCounted({
  decided_at,
  status,
}: {
  decided_at: number | null;
  status: OrderStatus;
}): boolean {
  return decided_at !== null && status !== 'cancelled' && status !== 'failed';
}

/** An order whose customer matters. */
export interface AskedCustomer {
  readonly order: PreparedOrder;
  /** Whether something asks how many orders there were, and not just whether there were any. */
  readonly asksHistory: boolean;
}

/** `known`: orders of the transaction that are stored already, whose versions it has cached. */
type Asked = { known: string; asked: string };

/** The orders of the customer of an order that were placed before it, in the index by customer and time. */
const earlier = (isKnown: RawBuilder<SqlBool>) => sql<boolean>`
  substr(orders.customer_hash, 1, 8) = substr(given.customer_hash, 1, 8)
  and orders.customer_hash = given.customer_hash
  and orders.customer_hash is not null
  and orders.placed_at <= given.placed_at
  and (orders.placed_at < given.placed_at or orders.order_id < given.order_id)
  and orders.decided_at is not null
  and orders.status not in ('cancelled', 'failed')
  and not ${isKnown}`;

/** A subquery, which PostgreSQL runs once: it would parse an array again for each order that it looks at. */
const isKnown = (dialect: Dialect, known: unknown) =>
  sql<SqlBool>`orders.order_id in (select order_id from ${dialect.jsonRows(known, { order_id: 'number' })})`;

const columns = { order_id: 'number', customer_hash: 'text', placed_at: 'number' } as const;

/**
 * What a subquery finds for each order: PostgreSQL would join `exists` and a plain join with all orders, as long as its
 * statistics are those of an empty table.
 */
const readEarlier = (
  find: (matching: RawBuilder<boolean>) => RawBuilder<string | null>,
  more: Record<string, 'number'> = {},
) =>
  readAll<Asked, { order_id: number; earlier: string | null }>((db, p, _given, dialect) => {
    const statement = sql<{ order_id: number; earlier: string | null }>`
      select given.order_id, ${find(earlier(isKnown(dialect, p.known)))} as earlier
      from ${dialect.jsonRows(p.asked, { ...columns, ...more })}`;
    return { compile: () => statement.compile(db) };
  });

const anyEarlier = readEarlier(
  (matching) => sql`(select '1 0 ' from orders where ${matching} limit 1)`,
);

const isCreditedSql = sql`exists (select 1 from referrals
  where referrals.order_id = orders.order_id and referrals.dropped = 0)`;

const allEarlier = readEarlier(
  (
    matching,
  ) => sql`(select count(*) || ' ' || coalesce(sum(case when ${isCreditedSql} then 1 else 0 end), 0)
    || ' ' || coalesce(min(case when ${isCreditedSql} then orders.day end), '')
    from orders where ${matching} and orders.placed_at >= given.after_at
      and (orders.placed_at > given.after_at or orders.order_id >= given.after_order))`,
  { after_at: 'number', after_order: 'number' },
);

function toEarlier(text: string): EarlierOrders {
  const [orders, creditedOrders, since] = text.split(' ');
  return { orders: Number(orders), credited: Number(creditedOrders), since: since || null };
}

/** What customers had ordered before a place: a dry run reads only what follows. */
export type KeptCustomers = BoundedMap<string, EarlierOrders & Place>;

const BEFORE_ALL: Place = { placed_at: Number.MIN_SAFE_INTEGER, order_id: 0 };

function together(a: EarlierOrders = NO_EARLIER, b: EarlierOrders): EarlierOrders {
  const [since = null] = [a.since, b.since].filter((day) => day !== null).sort();
  return { orders: a.orders + b.orders, credited: a.credited + b.credited, since };
}

interface BatchOrder extends Place {
  readonly day: string;
  readonly isCredited: boolean;
}

/**
 * What customers had ordered before an order, among the orders that have counted. Those of the transaction are cached,
 * as the ones before have left them; all others are read once.
 */
export class CustomerOrders {
  readonly #found = new Map<number, EarlierOrders>();
  readonly #ofBatch = new Map<string, BatchOrder[]>();
  /** The orders whose customers may be kept. */
  readonly #whole = new Set<number>();
  readonly #kept: KeptCustomers | undefined;

  private constructor(kept: KeptCustomers | undefined) {
    this.#kept = kept;
  }

  /** `known`: the stored versions of the transaction's orders, and whether each is credited. */
  static async read(
    db: Reader,
    asked: readonly AskedCustomer[],
    known: readonly { readonly row: OrderRow; readonly isCredited: boolean }[],
    kept?: KeptCustomers,
  ): Promise<CustomerOrders> {
    const customers = new CustomerOrders(kept);
    for (const { row, isCredited } of known) customers.#note(row, isCredited);
    const stored = jsonList(known.map(({ row: { order_id } }) => ({ order_id })));
    for (const [asksHistory, list] of Map.groupBy(asked, (one) => one.asksHistory)) {
      const rows = list.flatMap(({ order: { orderId: order_id, customerHash, placedAtMs } }) => {
        if (customerHash === null) return [];
        const row = { order_id, customer_hash: customerHash, placed_at: placedAtMs };
        if (!asksHistory) return [row];
        const after = kept?.get(customerHash) ?? BEFORE_ALL;
        return [{ ...row, after_at: after.placed_at, after_order: after.order_id }];
      });
      if (rows.length === 0) continue;
      const read = asksHistory ? allEarlier : anyEarlier;
      const byOrder = new Map(rows.map((row) => [row.order_id, row.customer_hash]));
      for (const row of await read(db, { known: stored, asked: jsonList(rows) })) {
        const before = asksHistory ? kept?.get(byOrder.get(row.order_id)!) : undefined;
        customers.#found.set(row.order_id, together(before, toEarlier(row.earlier ?? '0 0 ')));
        if (asksHistory) customers.#whole.add(row.order_id);
      }
    }
    return customers;
  }

  before(order: PreparedOrder): EarlierOrders {
    const place = { placed_at: order.placedAtMs, order_id: order.orderId };
    let { orders, credited, since } = this.#found.get(order.orderId) ?? NO_EARLIER;
    for (const one of this.#ofBatch.get(order.customerHash ?? '') ?? []) {
      if (byPlace(one, place) >= 0) continue;
      orders += 1;
      if (!one.isCredited) continue;
      credited += 1;
      if (since === null || one.day < since) since = one.day;
    }
    const found = { orders, credited, since };
    if (this.#whole.has(order.orderId))
      this.#kept?.set(order.customerHash!, { ...found, ...place });
    return found;
  }

  /** Notes an order as the transaction has stored it, for the orders that follow. */
  noteOrder(before: OrderRow | undefined, after: OrderRow, isCredited: boolean): void {
    if (before?.customer_hash) {
      const orders = this.#ofBatch.get(before.customer_hash) ?? [];
      const i = orders.findIndex(({ order_id }) => order_id === before.order_id);
      if (i !== -1) orders.splice(i, 1);
    }
    this.#note(after, isCredited);
  }

  #note(row: OrderRow, isCredited: boolean): void {
    const { customer_hash, order_id, placed_at, day } = row;
    if (customer_hash === null || !hasCounted(row)) return;
    listIn(this.#ofBatch, customer_hash).push({ order_id, placed_at, day, isCredited });
  }
}
