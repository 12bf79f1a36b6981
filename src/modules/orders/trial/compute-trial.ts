import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../../db/database.ts';
import { SettingValues } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  asksForCustomer,
  countsNewCustomers,
  type RewardRule,
  type RuleList,
} from '../../rewards/index.ts';
import type { Rates } from '../commission/commission.ts';
import { commissionWithoutSteps } from '../commission/plain-commission.ts';
import { decideRates } from '../commission/decide-rates.ts';
import { factsOf, ratedOrder, type Facts } from '../commission/facts.ts';
import { currentTerms, renewalTerms } from '../commission/referral-terms.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import type { OrderContent } from '../order-content.ts';
import { readEarning } from '../order-input.ts';
import { TrialFacts, type Tried, type TriedOrder } from './trial-facts.ts';
import {
  firstReferrals,
  placesBetween,
  ratesOfCoupons,
  referralsToTry,
  storedTermsCount,
  type Place,
  type TrialRow,
} from './trial-rows.ts';

/** What orders of a period are tried with. Days are those of the site, both included. */
export interface CompletePlan {
  readonly from: string;
  readonly to: string;
  /** The whole list, in its order. */
  readonly rules: readonly RewardRule[];
  /** The values of all settings that decide what an order earns. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a referral earns now and what it would earn, in minor units. */
export interface TriedReferral {
  readonly orderId: number;
  readonly userId: number;
  readonly couponId: number;
  readonly before: number;
  readonly after: number;
}

export interface TrialProgress {
  take(referral: TriedReferral): void;
  /** The share that is done, after each page. The trial ends when it resolves to false. */
  proceed(share: number): Promise<boolean>;
}

/** What a trial needs of a site. */
interface TrialSite extends Pick<Site, 'calendar' | 'currency'> {
  readonly database: { readonly read: Reader };
}

/** Computes a trial in this thread; see `runTrial`. */
export async function computeTrial(
  site: TrialSite,
  plan: CompletePlan,
  progress: TrialProgress,
): Promise<boolean> {
  const { calendar, database } = site;
  const span = { fromMs: calendar.startOfDay(plan.from), untilMs: calendar.endOfDay(plan.to) };
  const trial = await Trial.begin(site, plan, span.fromMs);
  for await (const places of placesBetween(database.read, span)) {
    const done = places.at(-1)!.placed_at - span.fromMs;
    await trial.compute(places, progress);
    if (!(await progress.proceed(done / (span.untilMs - span.fromMs)))) return false;
    await nextTurn();
  }
  return true;
}

/** What a coupon has now. */
interface Coupon {
  readonly ownerId: number | null;
  readonly terms: Terms;
}

class Trial {
  readonly #site: Site;
  readonly #list: RuleList;
  readonly #fromMs: number;
  readonly #facts: TrialFacts;
  readonly #coupons = new Map<number, Coupon>();
  readonly #renewals = new Map<Terms, Terms>();

  static async begin(site: TrialSite, plan: CompletePlan, fromMs: number): Promise<Trial> {
    const { rules } = plan;
    const stored = await storedTermsCount(site.database.read);
    const facts = new TrialFacts(site.database.read, plan.from, {
      steps: stored.steps || rules.some(({ rate }) => rate.steps),
      customers: stored.newCustomers || rules.some(asksForCustomer),
      newCustomers: stored.newCustomers || rules.some(countsNewCustomers),
    });
    return new Trial(withSettings(site, plan.settings), rules, fromMs, facts);
  }

  private constructor(site: Site, rules: readonly RewardRule[], fromMs: number, facts: TrialFacts) {
    this.#site = site;
    this.#list = { version: 1, rules: rules.filter(({ active }) => active) };
    this.#fromMs = fromMs;
    this.#facts = facts;
  }

  async compute(places: readonly Place[], progress: TrialProgress): Promise<void> {
    const orderIds = places.map(({ order_id }) => order_id);
    const rows = await referralsToTry(this.#site.database.read, orderIds);
    const tried = await this.#tried(rows);
    await this.#facts.read(tried, places);
    const byOrder = Map.groupBy(tried, ({ row }) => row.order_id);
    for (const orderId of orderIds) {
      for (const { one, by, share } of withShares(byOrder.get(orderId) ?? [], this.#facts)) {
        const { row, order } = one;
        const decided = decideRates(by.terms, ratedOrder(order, row.store_id), by.facts);
        const rates = share ? { ...decided, share } : decided;
        const { figures, exchange } = order;
        const computed = commissionWithoutSteps(figures, rates, by.terms.base, exchange);
        const after = row.state === 'void' ? 0 : computed.amount;
        this.#facts.note(one, after, computed.byRule);
        const { user_id: userId, coupon_id: couponId, commission: before } = row;
        progress.take({ orderId, userId, couponId, before, after });
      }
      this.#facts.noteOrder(orderId);
    }
  }

  /** A renewal keeps the terms of its first payment, which are those of the trial if it is in the period. */
  async #tried(rows: readonly TrialRow[]): Promise<Tried[]> {
    const { read } = this.#site.database;
    const unknown = new Set(rows.map(({ coupon_id }) => coupon_id));
    for (const id of unknown) if (this.#coupons.has(id)) unknown.delete(id);
    for (const coupon of await ratesOfCoupons(read, [...unknown])) {
      const terms = currentTerms(this.#site, coupon, this.#list);
      this.#coupons.set(coupon.id, { ownerId: coupon.user_id, terms });
    }
    const tried = rows.map((row) => {
      const { ownerId, terms } = this.#coupons.get(row.coupon_id)!;
      return { row, order: readOrder(this.#site, row), ownerId: ownerId ?? row.user_id, terms };
    });
    const renewals = tried.filter(({ row }) => row.credited_by === 'subscription');
    if (renewals.length === 0) return tried;
    const keyOf = ({ row, order }: Tried) => `${row.store_id ?? 0} ${order.subscription?.id}`;
    const firsts = await read.allByKeys(firstReferrals, [...new Set(renewals.map(keyOf))]);
    const earlier = firsts.filter(({ placed_at }) => placed_at < this.#fromMs);
    const stored = await readTerms(read, this.#site, earlier);
    const hashes = new Map(earlier.map((one) => [`${one.key} ${one.coupon_id}`, one.terms]));
    for (const one of renewals) {
      const hash = hashes.get(`${keyOf(one)} ${one.row.coupon_id}`);
      const kept = typeof hash === 'string' ? stored.get(hash) : undefined;
      // Without stored terms, a first payment before the period leaves those of the coupon.
      if (hash === undefined || kept) one.terms = this.#renewed(kept ?? one.terms);
    }
    return tried;
  }

  #renewed(first: Terms): Terms {
    let terms = this.#renewals.get(first);
    if (!terms) {
      terms = renewalTerms(this.#site, first, this.#list);
      this.#renewals.set(first, terms);
    }
    return terms;
  }
}

/** A referral of an order, and what decides about it. */
interface Asked {
  readonly one: Tried;
  readonly by: { readonly terms: Terms; readonly facts: Facts };
  readonly share?: NonNullable<Rates['share']>;
}

/**
 * Affiliates who share the commission of an order get equal parts of what the first of them would earn alone. As when an
 * order comes in, what one of its referrals earns does not count for another.
 */
function withShares(ofOrder: readonly Tried[], facts: TrialFacts): Asked[] {
  const asked = ofOrder.map((one) => ({ one, by: { terms: one.terms, facts: facts.of(one) } }));
  if (asked.length < 2) return asked;
  asked.sort((a, b) => a.one.row.coupon_id - b.one.row.coupon_id);
  const parts = asked.filter(
    ({ one: { row } }) => row.state !== 'void' && row.facts?.includes('"share":') === true,
  );
  if (parts.length < 2) return asked;
  const { coupon } = factsOf(parts[0]!.one.row);
  const { by } = parts.find(({ one }) => one.row.coupon_id === coupon) ?? parts[0]!;
  return asked.map((each) => {
    const index = parts.indexOf(each);
    return index === -1 ? each : { one: each.one, by, share: { of: parts.length, index } };
  });
}

/** The stored content has hashes instead of the customer, and no store. */
function readOrder(site: Site, row: TrialRow): TriedOrder {
  // Only orders are stored there.
  const content = JSON.parse(row.content) as OrderContent;
  const { figures, exchange, total, country, subscription } = readEarning(site, content);
  const { day, customer_hash: customerHash } = row;
  return { day, customerHash, figures, exchange, total, country, subscription };
}

function withSettings(site: TrialSite, values: Readonly<Record<string, unknown>>): Site {
  const settings = new SettingValues(new Map(Object.entries(values)));
  // Commission is computed from no other part of a site.
  return { ...site, settings } as Site;
}
