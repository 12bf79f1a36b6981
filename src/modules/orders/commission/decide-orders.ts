import type { Reader } from '../../../db/database.ts';
import type { CreditedReferral } from '../credited-referral.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';
import {
  isSharing,
  sharedAmong,
  shareCommission,
  type DraftReferral,
} from '../several-affiliates.ts';
import type { Asking } from './ask-facts.ts';
import {
  askingOf,
  askPart,
  askReferral,
  decideReferral,
  type AskedReferral,
} from './decide-referrals.ts';
import type { LimitedReward } from './fact-rows.ts';
import { OrderFacts, type OrderSums } from './order-facts.ts';

/** A version of an order with whom it is credited to. */
export interface CreditedOrder {
  readonly order: PreparedOrder;
  readonly row: OrderRow;
  /** The stored version with its referrals, if there is one. */
  readonly known: OrderRow | undefined;
  readonly before: readonly ReferralRow[];
  readonly isDecided: boolean;
  readonly credited: readonly CreditedReferral[];
}

interface Asked {
  readonly sums?: OrderSums;
  /** Called with each sum before it is read. */
  readonly lock?: ((key: string) => Promise<void>) | undefined;
}

/**
 * What some orders earn, decided one after the other, oldest first: each sees what the ones before have changed. What is
 * asked is read for all of them at once: what says which rules match, then the sums of these rules.
 */
export class OrderDecisions {
  readonly #facts: OrderFacts;
  readonly #asked = new Map<CreditedOrder, AskedReferral[]>();
  /** Of the order that is being decided: counters have those before. */
  readonly #noted: [ReferralRow | undefined, ReferralRow][] = [];

  static async ask(
    db: Reader,
    orders: readonly CreditedOrder[],
    { sums, lock }: Asked = {},
  ): Promise<OrderDecisions> {
    const decisions = new OrderDecisions(await readFacts(db, orders, sums));
    // Where no rule asks, the objects of an order are garbage when the next one is decided.
    if (!orders.some(({ credited }) => credited.some(hasRules))) return decisions;
    for (const one of orders) decisions.#asked.set(one, decisions.#ask(one));
    // A dry run has none of its orders in its sums.
    const changing = sums ? [] : orders.flatMap(({ known }) => (known ? [known.order_id] : []));
    await decisions.#readSums(db, changing, lock);
    return decisions;
  }

  private constructor(facts: OrderFacts) {
    this.#facts = facts;
  }

  /**
   * The referrals of an order. One is decided after the one before is noted: what a coupon earns is no longer left of a
   * limit that the next one has, too.
   */
  *decide(one: CreditedOrder): Generator<DraftReferral> {
    const asked = this.#asked.get(one) ?? this.#ask(one);
    const decide = (each: AskedReferral) => decideReferral(this.#facts, one.order, each);
    if (asked.some(isSharing)) {
      yield* shareCommission(asked.map(decide)).sort(byCoupon);
    } else {
      const sorted = asked.toSorted((a, b) => byCoupon(a.credited, b.credited));
      for (const each of sorted) yield decide(each);
    }
    const { counters } = this.#facts.sums;
    for (const [before, after] of this.#noted.splice(0)) counters.noteReferral(before, after);
  }

  /** Notes what a referral earns, for the orders that follow. Returns what it earns by rules with a limit. */
  note(
    { order }: CreditedOrder,
    { previous, credited: { terms } }: DraftReferral,
    after: ReferralRow,
    earned: ReadonlyMap<number, number> | undefined,
  ): LimitedReward[] {
    const { limits } = this.#facts.sums;
    this.#noted.push([previous, after]);
    return terms?.index ? limits.note(terms.rules, order, after, earned) : [];
  }

  #ask(one: CreditedOrder): AskedReferral[] {
    const { order, known, row, credited } = one;
    const asked = credited.map((each) => {
      const isFirst = decidesCustomer(one, each) && this.#facts.earlier(order).orders === 0;
      const next = isFirst ? { ...each, row: { ...each.row, new_customer: 1 } } : each;
      return askReferral(this.#facts, order, row.store_id, next);
    });
    this.#facts.noteOrder(known, row, isCredited(credited.map((each) => each.row)));
    const shared = sharedAmong(asked);
    if (!shared) return asked;
    const { leading, parts } = shared;
    return asked.map((each) =>
      each !== leading && parts.includes(each) ? askPart(this.#facts, order, leading, each) : each,
    );
  }

  /** Two transactions that ask for the same limit wait for each other, so that they cannot both take what it has left. */
  async #readSums(db: Reader, changing: readonly number[], lock: Asked['lock']) {
    const { counters, limits } = this.#facts.sums;
    if (lock) for (const key of limits.keys()) await lock(key);
    await Promise.all([limits.read(db, changing), counters.read(db)]);
  }
}

/**
 * Coupons that were removed come first: they leave what they had. The others are sorted, so that events have the same
 * order whatever the order of the codes.
 */
function byCoupon(a: Pick<DraftReferral, 'row'>, b: Pick<DraftReferral, 'row'>): number {
  return b.row.dropped - a.row.dropped || a.row.coupon_id - b.row.coupon_id;
}

function readFacts(
  db: Reader,
  orders: readonly CreditedOrder[],
  sums: OrderSums | undefined,
): Promise<OrderFacts> {
  const asking: Asking[] = [];
  const deciding = new Set<PreparedOrder>();
  for (const one of orders) {
    const { order, credited } = one;
    for (const each of credited) {
      if (decidesCustomer(one, each)) deciding.add(order);
      if (!each.kept && hasRules(each)) asking.push(askingOf(order, each, each.terms!));
    }
  }
  const known = orders.flatMap(({ known: row, before }) =>
    row ? [{ row, isCredited: isCredited(before) }] : [],
  );
  return OrderFacts.read(db, asking, deciding, known, sums);
}

function hasRules({ terms }: CreditedReferral): boolean {
  return terms?.index !== undefined;
}

function isCredited(referrals: readonly Pick<ReferralRow, 'dropped'>[]): boolean {
  return referrals.some(({ dropped }) => dropped === 0);
}

/** Whether it is decided now if an order is the first of its customer: once, when both are known. */
function decidesCustomer(
  { order, known, isDecided }: CreditedOrder,
  { kept }: CreditedReferral,
): boolean {
  if (!isDecided || order.customerHash === null) return false;
  return !kept || known?.customer_hash === null;
}
