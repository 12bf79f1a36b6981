import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Site } from '../../../kernel/declare/site.ts';
import { activeRules, type RewardRule, type RuleList } from '../../rewards/index.ts';
import { findRenewed, type Candidate } from '../attribution/candidate-rows.ts';
import { computeCommission } from '../commission/commission.ts';
import { decideRates } from '../commission/decide-rates.ts';
import { toPrepared } from '../commission/explain-commission.ts';
import { factsOf, ratedOrder } from '../commission/facts.ts';
import { OrderFacts } from '../commission/order-facts.ts';
import { currentTerms, renewalTerms, type ReferralTerms } from '../commission/referral-terms.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import { NO_ORDER_ID } from '../read-order.ts';
import { DAY_MS } from '../settings.ts';
import { referralsOfFirst, runningBefore, type RunningRow } from './trial-rows.ts';

/** One that is paid once a year has paid in this time. */
const RUNNING_DAYS = 400;
const SUBSCRIPTIONS_AT_ONCE = 250;
/** As many as take a second or two. */
const SUBSCRIPTIONS_MAX = 10_000;

/** What the next payments of running subscriptions earn, in minor units. */
export interface RunningEffect {
  subscriptions: number;
  /** How many of them earn something else. */
  changed: number;
  before: number;
  after: number;
  /** Whether all of them were computed. */
  isComplete: boolean;
}

/** Computes the next payment of each running subscription with the saved rules and with others, as if it came now. */
export async function effectOnRunning(
  site: Site,
  rules: readonly RewardRule[],
): Promise<RunningEffect> {
  const saved = await activeRules(site);
  // No other list has the same: terms are remembered by the version of their rules.
  const tried = { version: -randomInt(2 ** 47), rules: rules.filter(({ active }) => active) };
  const sum: RunningEffect = {
    subscriptions: 0,
    changed: 0,
    before: 0,
    after: 0,
    isComplete: true,
  };
  const since = site.clock() - RUNNING_DAYS * DAY_MS;
  let place = { last_paid_at: Number.MAX_SAFE_INTEGER, key: '' };
  for (let read = 0; ; read += SUBSCRIPTIONS_AT_ONCE) {
    const params = { ...place, since, limit: SUBSCRIPTIONS_AT_ONCE };
    const rows = await runningBefore(site.database.read, params);
    if (rows.length === 0) return sum;
    if (read >= SUBSCRIPTIONS_MAX) return { ...sum, isComplete: false };
    const page = await NextPayments.read(site, rows, [saved, tried]);
    for (const row of rows) {
      const [before, after] = [page.earned(row, saved), page.earned(row, tried)];
      if (before === undefined || after === undefined) continue;
      sum.subscriptions++;
      if (before !== after) sum.changed++;
      sum.before += before;
      sum.after += after;
    }
    place = rows.at(-1)!;
    await nextTurn();
  }
}

/** The next payments of some subscriptions, each like the last one. */
class NextPayments {
  readonly #site: Site;
  readonly #orders: ReadonlyMap<string, PreparedOrder>;
  readonly #firsts: ReadonlyMap<number, readonly ReferralRow[]>;
  readonly #coupons: ReadonlyMap<number, Candidate>;
  readonly #terms: ReadonlyMap<string, Terms>;
  readonly #facts: OrderFacts;
  readonly #renewedTerms = new Map<string, Terms>();

  static async read(
    site: Site,
    rows: readonly RunningRow[],
    lists: readonly RuleList[],
  ): Promise<NextPayments> {
    const { read } = site.database;
    const firsts = await referralsOfFirst(read, [
      ...new Set(rows.map((row) => row.first_order_id)),
    ]);
    const coupons = await findRenewed(read, new Set(firsts.map(({ coupon_id }) => coupon_id)));
    const terms = await readTerms(read, site, firsts);
    const orders = new Map(rows.map((row) => [row.key, nextOrder(site, row)]));
    const rules = [...lists, ...terms.values()].flatMap((one) => one.rules);
    const affiliates = new Set(coupons.map(({ user_id }) => user_id));
    const facts = await OrderFacts.read(read, rules, [...orders.values()], affiliates);
    return new NextPayments(site, orders, firsts, coupons, terms, facts);
  }

  private constructor(
    site: Site,
    orders: ReadonlyMap<string, PreparedOrder>,
    firsts: readonly ReferralRow[],
    coupons: readonly Candidate[],
    terms: ReadonlyMap<string, Terms>,
    facts: OrderFacts,
  ) {
    this.#site = site;
    this.#orders = orders;
    this.#firsts = Map.groupBy(firsts, ({ order_id }) => order_id);
    this.#coupons = new Map(coupons.map((coupon) => [coupon.id, coupon]));
    this.#terms = terms;
    this.#facts = facts;
  }

  /** The commission of a subscription; undefined if no affiliate gets its renewals. */
  earned(row: RunningRow, list: RuleList): number | undefined {
    const renewing = (this.#firsts.get(row.first_order_id) ?? []).flatMap((first) => {
      const coupon = this.#coupons.get(first.coupon_id);
      return coupon ? [{ first, coupon }] : [];
    });
    if (renewing.length === 0) return undefined;
    const { share } = factsOf(renewing[0]!.first);
    // The parts of a shared commission add up to what the first affiliate would earn alone.
    const leading = renewing.find(({ coupon }) => coupon.id === share?.coupon) ?? renewing[0]!;
    const earning = share ? [leading] : renewing;
    return earning.reduce((sum, one) => sum + this.#earnedBy(row, one, list), 0);
  }

  #earnedBy(
    row: RunningRow,
    { first, coupon }: { first: ReferralRow; coupon: Candidate },
    list: RuleList,
  ): number {
    // Only terms of referrals are stored there.
    if ((JSON.parse(first.rates) as ReferralTerms).self) return 0;
    const order = this.#orders.get(row.key)!;
    const ofFirst = first.terms === null ? undefined : this.#terms.get(first.terms);
    const terms = ofFirst ? this.#renewed(ofFirst, list) : currentTerms(this.#site, coupon, list);
    const credited = { affiliate: coupon.user_id, coupon: coupon.id };
    const payment = { number: row.payments + 1, startedOn: row.started_on };
    const asked = this.#facts.of(terms.rules, order, { ...credited, payment });
    const facts = { ...asked, ...credited, via: first.via };
    const rates = decideRates(terms, ratedOrder(order, row.store_id), facts);
    return computeCommission(order.figures, rates, terms.base, order.exchange).amount;
  }

  /** Most subscriptions began with the same terms. */
  #renewed(first: Terms, list: RuleList): Terms {
    const key = `${list.version} ${first.hash}`;
    let terms = this.#renewedTerms.get(key);
    if (!terms) this.#renewedTerms.set(key, (terms = renewalTerms(this.#site, first, list)));
    return terms;
  }
}

function nextOrder(site: Site, row: RunningRow): PreparedOrder {
  const last = toPrepared(site, row);
  const placedAtMs = site.clock();
  return {
    ...last,
    orderId: NO_ORDER_ID,
    storeId: row.store_id,
    customerHash: row.customer_hash,
    placedAtMs,
    day: site.calendar.dayOf(placedAtMs),
    figures: { ...last.figures, refunds: [] },
  };
}
