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
import { Subscriptions } from '../attribution/subscriptions.ts';
import { askReferral, decideReferral } from '../commission/decide-referrals.ts';
import type { StoredFacts } from '../commission/facts.ts';
import { commissionWithoutSteps } from '../commission/plain-commission.ts';
import { currentTerms, renewalTerms } from '../commission/referral-terms.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import type { CreditedReferral } from '../credited-referral.ts';
import { placesAfter } from '../list/order-places.ts';
import type { OrderContent } from '../order-content.ts';
import { readEarning } from '../order-input.ts';
import type { Place } from '../order-place.ts';
import { shareCommission } from '../several-affiliates.ts';
import { TrialFacts, type Tried, type TriedOrder } from './trial-facts.ts';
import {
  ratesOfCoupons,
  referralsToTry,
  storedCountsCustomers,
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
  const before = { placed_at: span.fromMs - 1, order_id: Number.MAX_SAFE_INTEGER };
  for await (const places of placesAfter(database.read, before, span.untilMs)) {
    const done = places.at(-1)!.placed_at - span.fromMs;
    await trial.compute(places, progress);
    if (!(await progress.proceed(done / (span.untilMs - span.fromMs)))) return false;
    await nextTurn();
  }
  return true;
}

class Trial {
  readonly #site: Site;
  readonly #list: RuleList;
  readonly #fromMs: number;
  readonly #facts: TrialFacts;
  readonly #coupons = new Map<number, Terms>();
  readonly #renewals = new Map<Terms, Terms>();

  static async begin(site: TrialSite, plan: CompletePlan, fromMs: number): Promise<Trial> {
    const { rules } = plan;
    const { read } = site.database;
    const asksCustomers =
      rules.some((rule) => asksForCustomer(rule) || countsNewCustomers(rule)) ||
      (await storedCountsCustomers(read));
    const facts = new TrialFacts(read, plan.from, asksCustomers);
    return new Trial(withSettings(site, plan.settings), rules, fromMs, facts);
  }

  private constructor(site: Site, rules: readonly RewardRule[], fromMs: number, facts: TrialFacts) {
    this.#site = site;
    this.#list = { version: 1, rules: rules.filter(({ active }) => active) };
    this.#fromMs = fromMs;
    this.#facts = facts;
  }

  /** The steps are those of orders that come in: which rules match, then their sums, then what each referral earns. */
  async compute(places: readonly Place[], progress: TrialProgress): Promise<void> {
    const orderIds = places.map(({ order_id }) => order_id);
    const rows = await referralsToTry(this.#site.database.read, orderIds);
    const tried = await this.#tried(rows);
    await this.#facts.readPage(tried, places);
    const byOrder = Map.groupBy(tried, ({ row }) => row.order_id);
    const asked = orderIds.map((orderId) => {
      const ofOrder = byOrder.get(orderId) ?? [];
      const found = ofOrder.map((one) => ({
        one,
        asked: askReferral(this.#facts, one.order, one.row.store_id, creditedOf(one)),
      }));
      this.#facts.noteOrder(orderId);
      return found;
    });
    await this.#facts.readSums();
    for (const ofOrder of asked) {
      const drafts = shareCommission(
        ofOrder.map(({ one, asked: of }) => decideReferral(this.#facts, one.order, of)),
      );
      for (const [i, { terms }] of drafts.entries()) {
        const { one } = ofOrder[i]!;
        const { row, order } = one;
        const { figures, exchange } = order;
        const computed = commissionWithoutSteps(figures, terms.rates, terms.rules, exchange);
        const after = row.state === 'void' ? 0 : computed.amount;
        this.#facts.noteEarned(one, after, computed.byRule);
        const { order_id: orderId, user_id: userId, coupon_id: couponId, commission } = row;
        progress.take({ orderId, userId, couponId, before: commission, after });
      }
    }
  }

  /** A renewal keeps the terms of its first payment, which are those of the trial if it is in the period. */
  async #tried(rows: readonly TrialRow[]): Promise<Tried[]> {
    const { read } = this.#site.database;
    const unknown = new Set(rows.map(({ coupon_id }) => coupon_id));
    for (const id of unknown) if (this.#coupons.has(id)) unknown.delete(id);
    for (const coupon of await ratesOfCoupons(read, [...unknown])) {
      this.#coupons.set(coupon.id, currentTerms(this.#site, coupon, this.#list));
    }
    const tried = rows.map((row) => ({
      row,
      order: readOrder(this.#site, row),
      terms: this.#coupons.get(row.coupon_id)!,
    }));
    const renewals = tried.filter(({ row }) => row.credited_by === 'subscription');
    if (renewals.length === 0) return tried;
    const subscriptions = await Subscriptions.read(
      read,
      renewals.map(({ order }) => order),
    );
    const earlier = subscriptions.referrals().filter((one) => one.placed_at < this.#fromMs);
    const stored = await readTerms(read, this.#site, earlier);
    for (const one of renewals) {
      const payment = subscriptions.paymentOf(one.order);
      const first = subscriptions
        .referralsOf(payment?.firstOrderId ?? one.row.order_id)
        .find(({ coupon_id }) => coupon_id === one.row.coupon_id);
      const isEarlier = first !== undefined && first.placed_at < this.#fromMs;
      const kept = isEarlier && first.terms !== null ? stored.get(first.terms) : undefined;
      // Without stored terms, a first payment before the period leaves those of the coupon.
      if (!isEarlier || kept) one.terms = this.#renewed(kept ?? one.terms);
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

/** A stored referral as it would be credited again. One that is void leaves its part of a shared commission to others. */
function creditedOf({ row, order, terms }: Tried): CreditedReferral {
  // Only facts are stored there.
  const stored = row.facts === null ? {} : (JSON.parse(row.facts) as StoredFacts);
  return {
    previous: undefined,
    row: { ...row, terms: terms.hash, facts: null, release_at: null, dropped: 0 },
    terms,
    credit: undefined,
    payment: paymentOf(stored, order),
    share: row.state === 'void' ? undefined : stored.share,
    self: false,
    kept: false,
    recounts: false,
    renews: undefined,
    ownerEmail: '',
    ownMailbox: undefined,
  };
}

function paymentOf(stored: StoredFacts, { orderId, subscription, day }: TriedOrder) {
  if (!subscription) return undefined;
  return {
    number: stored.payment ?? subscription.payment ?? (subscription.isRenewal ? 2 : 1),
    startedOn: stored.started ?? subscription.startedOn ?? day,
    firstOrderId: orderId,
  };
}

/** The stored content has hashes instead of the customer, and no store. */
function readOrder(site: Site, row: TrialRow): TriedOrder {
  // Only orders are stored there.
  const content = JSON.parse(row.content) as OrderContent;
  const { figures, exchange, total, country, subscription } = readEarning(site, content);
  return {
    orderId: row.order_id,
    storeId: row.store_id,
    status: row.status,
    placedAtMs: row.placed_at,
    day: row.day,
    customerHash: row.customer_hash,
    figures,
    exchange,
    total,
    country,
    subscription,
  };
}

function withSettings(site: TrialSite, values: Readonly<Record<string, unknown>>): Site {
  const settings = new SettingValues(new Map(Object.entries(values)));
  // Commission is computed from no other part of a site.
  return { ...site, settings } as Site;
}
