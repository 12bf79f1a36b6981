import type { Reader } from '../../../db/database.ts';
import { decidesCustomer, hasRules, isCredited, type CreditedOrder } from '../credited-referral.ts';
import type { ReferralRow } from '../order-rows.ts';
import {
  isSharing,
  sharedAmong,
  shareCommission,
  type DraftReferral,
} from '../several-affiliates.ts';
import { askPart, askReferral, decideReferral, type AskedReferral } from './decide-referrals.ts';
import type { LimitedReward } from './fact-rows.ts';
import { readFacts, type OrderSums } from './order-facts.ts';

interface Asked {
  readonly sums?: OrderSums;
  /** Called with each sum before it is read. */
  readonly lock?: ((key: string) => Promise<void>) | undefined;
}

export type OrderDecisions = Awaited<ReturnType<typeof decideOrders>>;

/**
 * What some orders earn, decided one after the other, oldest first: each sees what the ones before have changed. What is
 * asked is read for all of them at once: what says which rules match, then the sums of these rules.
 */
export async function decideOrders(
  db: Reader,
  orders: readonly CreditedOrder[],
  { sums, lock }: Asked = {},
) {
  const facts = await readFacts(db, orders, sums);
  const { counters, limits } = facts.sums;
  const askedOf = new Map<CreditedOrder, AskedReferral[]>();
  /** Of the order that is being decided: counters have those before. */
  const noted: [ReferralRow | undefined, ReferralRow][] = [];

  function ask(one: CreditedOrder): AskedReferral[] {
    const { order, known, row, credited } = one;
    const asked = credited.map((each) => {
      const isFirst = decidesCustomer(one, each) && facts.customers.before(order).orders === 0;
      const next = isFirst ? { ...each, row: { ...each.row, new_customer: 1 } } : each;
      return askReferral(facts, order, row.store_id, next);
    });
    facts.customers.noteOrder(known, row, isCredited(credited.map((each) => each.row)));
    const shared = sharedAmong(asked);
    if (!shared) return asked;
    const { leading, parts } = shared;
    return asked.map((each) =>
      each !== leading && parts.includes(each) ? askPart(facts, order, leading, each) : each,
    );
  }

  // Where no rule asks, the objects of an order are garbage when the next one is decided.
  if (orders.some(({ credited }) => credited.some(hasRules))) {
    for (const one of orders) askedOf.set(one, ask(one));
    // Two transactions that ask for the same limit wait for each other, so that they cannot both take what it has left.
    if (lock) for (const key of limits.keys()) await lock(key);
    // A dry run has none of its orders in its sums.
    const changing = sums ? [] : orders.flatMap(({ known }) => (known ? [known.order_id] : []));
    await Promise.all([limits.read(db, changing), counters.read(db)]);
  }

  /**
   * The referrals of an order. One is decided after the one before is noted: what a coupon earns is no longer left of a
   * limit that the next one has, too.
   */
  function* decide(one: CreditedOrder): Generator<DraftReferral> {
    const asked = askedOf.get(one) ?? ask(one);
    const decideOne = (each: AskedReferral) => decideReferral(facts, one.order, each);
    if (asked.some(isSharing)) {
      yield* shareCommission(asked.map(decideOne)).sort(byCoupon);
    } else {
      const sorted = asked.toSorted((a, b) => byCoupon(a.credited, b.credited));
      for (const each of sorted) yield decideOne(each);
    }
    for (const [before, after] of noted.splice(0)) counters.noteReferral(before, after);
  }

  /** Notes what a referral earns, for the orders that follow. Returns what it earns by rules with a limit. */
  function note(
    { order }: CreditedOrder,
    { previous, credited: { terms } }: DraftReferral,
    after: ReferralRow,
    earned: ReadonlyMap<number, number> | undefined,
  ): LimitedReward[] {
    noted.push([previous, after]);
    return terms?.index ? limits.note(terms.rules, order, after, earned) : [];
  }

  return { decide, note };
}

/**
 * Coupons that were removed come first: they leave what they had. The others are sorted, so that events have the same
 * order whatever the order of the codes.
 */
function byCoupon(a: Pick<DraftReferral, 'row'>, b: Pick<DraftReferral, 'row'>): number {
  return b.row.dropped - a.row.dropped || a.row.coupon_id - b.row.coupon_id;
}
