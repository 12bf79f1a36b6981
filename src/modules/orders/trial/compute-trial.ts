import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../../db/database.ts';
import { SettingValues } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { RewardRule } from '../../rewards/index.ts';
import type { Rates } from '../commission/commission.ts';
import { commissionWithoutSteps } from '../commission/plain-commission.ts';
import { decideRates } from '../commission/decide-rates.ts';
import { toPrepared } from '../commission/explain-commission.ts';
import { factsOf, ratedOrder, type Facts } from '../commission/facts.ts';
import { countsNewCustomers } from '../commission/asked-by-rules.ts';
import { currentTerms, renewalTerms } from '../commission/referral-terms.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import type { PreparedOrder } from '../order-input.ts';
import { TrialFacts, type Tried } from './trial-facts.ts';
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

/** Other requests wait no longer than this for the computation. */
const TURN_MS = 4;

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
  }
  return true;
}

class Trial {
  readonly #site: Site;
  readonly #rules: readonly RewardRule[];
  readonly #fromMs: number;
  readonly #facts: TrialFacts;
  readonly #terms = new Map<number, Terms>();
  readonly #renewals = new Map<Terms, Terms>();
  #turnEndsMs = 0;

  static async begin(site: TrialSite, plan: CompletePlan, fromMs: number): Promise<Trial> {
    const { rules } = plan;
    const stored = await storedTermsCount(site.database.read);
    const facts = new TrialFacts(site.database.read, plan.from, {
      steps: stored.steps || rules.some(({ rate }) => rate.steps),
      newCustomers: stored.newCustomers || rules.some(countsNewCustomers),
    });
    return new Trial(withSettings(site, plan.settings), rules, fromMs, facts);
  }

  private constructor(site: Site, rules: readonly RewardRule[], fromMs: number, facts: TrialFacts) {
    this.#site = site;
    this.#rules = rules.filter(({ active }) => active);
    this.#fromMs = fromMs;
    this.#facts = facts;
  }

  async compute(places: readonly Place[], progress: TrialProgress): Promise<void> {
    const orderIds = places.map(({ order_id }) => order_id);
    const rows = await referralsToTry(this.#site.database.read, orderIds);
    const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
    const orders = new Map<number, PreparedOrder>();
    for (const [id, [row]] of byOrder) {
      orders.set(id, prepared(this.#site, row!));
      await this.#takeTurns();
    }
    const terms = await this.#termsOf(rows, orders);
    const tried = new Map<TrialRow, Tried>();
    for (const row of rows) {
      tried.set(row, { row, order: orders.get(row.order_id)!, rules: terms.get(row)!.rules });
    }
    await this.#facts.read([...tried.values()], places);
    for (const id of orderIds) {
      const asked = (byOrder.get(id) ?? []).map((row) => {
        const one = tried.get(row)!;
        return { one, terms: terms.get(row)!, facts: this.#facts.of(one) };
      });
      // As when an order comes in: what one of its referrals earns does not count for another.
      for (const { one, terms: by, facts, share } of withShares(asked)) {
        const { row, order } = one;
        const decided = decideRates(by, ratedOrder(order, row.store_id), facts);
        const rates = share ? { ...decided, share } : decided;
        const { figures, exchange } = order;
        const computed = commissionWithoutSteps(figures, rates, by.base, exchange);
        const after = row.state === 'void' ? 0 : computed.amount;
        this.#facts.note(one, after, computed.byRule);
        const { user_id: userId, coupon_id: couponId, commission: before } = row;
        progress.take({ orderId: id, userId, couponId, before, after });
      }
      this.#facts.noteOrder(id);
      await this.#takeTurns();
    }
  }

  async #takeTurns(): Promise<void> {
    if (performance.now() < this.#turnEndsMs) return;
    await nextTurn();
    this.#turnEndsMs = performance.now() + TURN_MS;
  }

  /** A renewal keeps the terms of its first payment, which are those of the trial if it is in the period. */
  async #termsOf(
    rows: readonly TrialRow[],
    orders: ReadonlyMap<number, PreparedOrder>,
  ): Promise<ReadonlyMap<TrialRow, Terms>> {
    const { read } = this.#site.database;
    const list = { version: 1, rules: this.#rules };
    const unknown = new Set(rows.map(({ coupon_id }) => coupon_id));
    for (const id of unknown) if (this.#terms.has(id)) unknown.delete(id);
    for (const coupon of await ratesOfCoupons(read, [...unknown])) {
      this.#terms.set(coupon.id, currentTerms(this.#site, coupon, list));
    }
    const keyOf = (row: TrialRow) =>
      row.credited_by === 'subscription'
        ? `${row.store_id ?? 0} ${orders.get(row.order_id)!.subscription?.id}`
        : undefined;
    const keys = new Set(rows.flatMap((row) => keyOf(row) ?? []));
    const firsts = keys.size > 0 ? await read.allByKeys(firstReferrals, [...keys]) : [];
    const earlier = firsts.filter(({ placed_at }) => placed_at < this.#fromMs);
    const stored = await readTerms(read, this.#site, earlier);
    return new Map(
      rows.map((row) => {
        const ofCoupon = this.#terms.get(row.coupon_id)!;
        const key = keyOf(row);
        if (key === undefined) return [row, ofCoupon];
        const first = earlier.find((one) => one.key === key && one.coupon_id === row.coupon_id);
        const kept = first?.terms === null ? undefined : stored.get(first?.terms ?? '');
        return [row, first && !kept ? ofCoupon : this.#renewed(kept ?? ofCoupon)];
      }),
    );
  }

  #renewed(first: Terms): Terms {
    let terms = this.#renewals.get(first);
    if (!terms) {
      terms = renewalTerms(this.#site, first, { version: 1, rules: this.#rules });
      this.#renewals.set(first, terms);
    }
    return terms;
  }
}

interface Asked {
  readonly one: Tried;
  readonly terms: Terms;
  readonly facts: Facts;
}

/** Affiliates who share the commission of an order get equal parts of what the first of them would earn alone. */
function withShares(asked: readonly Asked[]): (Asked & { share?: NonNullable<Rates['share']> })[] {
  const isSharing = ({ one: { row } }: Asked) =>
    row.state !== 'void' && row.facts?.includes('"share":') === true;
  const parts = asked.filter(isSharing);
  if (parts.length < 2) return [...asked];
  const { coupon } = factsOf(parts[0]!.one.row);
  const first = parts.find(({ one }) => one.row.coupon_id === coupon) ?? parts[0]!;
  return asked.map((each) => {
    const index = parts.indexOf(each);
    if (index === -1) return each;
    const { terms, facts } = first;
    return { one: each.one, terms, facts, share: { of: parts.length, index } };
  });
}

/** The stored content has a hash instead of the customer, and no store. */
function prepared(site: Site, row: TrialRow): PreparedOrder {
  return { ...toPrepared(site, row), customerHash: row.customer_hash, storeId: row.store_id };
}

function withSettings(site: TrialSite, values: Readonly<Record<string, unknown>>): Site {
  const settings = new SettingValues(new Map(Object.entries(values)));
  // Commission is computed from no other part of a site.
  return { ...site, settings } as Site;
}
