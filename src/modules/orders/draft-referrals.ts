import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { activeRules, type RuleList } from '../rewards/index.ts';
import { Attribution, type Credit } from './attribution/attribution.ts';
import { Subscriptions, type Payment } from './attribution/subscriptions.ts';
import { decideRates } from './commission/decide-rates.ts';
import { factsOf, ratedOrder } from './commission/facts.ts';
import { OrderFacts } from './commission/order-facts.ts';
import { currentTerms, renewalTerms, type ReferralTerms } from './commission/referral-terms.ts';
import { readTerms, storeTerms, type Terms } from './commission/terms.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';
import { isOwn } from './own-order.ts';
import { allowSelf } from './settings.ts';

/** What decides whom orders are credited to. */
interface Crediting {
  readonly list: RuleList;
  readonly subscriptions: Subscriptions;
  readonly attribution: Attribution;
}

/** What the referrals of a transaction depend on. */
export interface CreditContext extends Crediting {
  /** By hash, the terms of existing referrals and of those that this transaction creates. */
  readonly terms: Map<string, Terms>;
  readonly facts: OrderFacts;
}

export async function beginCrediting(
  tx: Transaction,
  site: Site,
  orders: readonly PreparedOrder[],
): Promise<Crediting> {
  const list = await activeRules(site);
  const subscriptions = await Subscriptions.read(tx, orders);
  const attribution = await Attribution.read(tx, site, orders, subscriptions);
  return { list, subscriptions, attribution };
}

/** Reads what the rules of the moment, of existing referrals and of first payments ask. */
export async function readContext(
  tx: Transaction,
  site: Site,
  crediting: Crediting,
  orders: readonly PreparedOrder[],
  referrals: readonly ReferralRow[],
): Promise<CreditContext> {
  const { list, subscriptions, attribution } = crediting;
  const terms = new Map(await readTerms(tx, site, [...referrals, ...subscriptions.referrals()]));
  const rules = [...list.rules, ...Array.from(terms.values(), (one) => one.rules).flat()];
  const affiliates = attribution.affiliateIds();
  for (const { user_id } of referrals) affiliates.add(user_id);
  const facts = await OrderFacts.read(tx, rules, orders, affiliates);
  return { ...crediting, terms, facts };
}

/** A referral before its commission is computed. */
export interface DraftReferral {
  readonly previous: ReferralRow | undefined;
  readonly terms: ReferralTerms;
  readonly row: Pick<
    ReferralRow,
    | 'order_id'
    | 'coupon_id'
    | 'user_id'
    | 'via'
    | 'credited_by'
    | 'click_id'
    | 'terms'
    | 'facts'
    | 'release_at'
    | 'dropped'
  >;
}

/** Drafts the referrals of the orders of one transaction. */
export class ReferralDrafts {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #context: CreditContext;
  readonly #referrals: ReadonlyMap<number, readonly ReferralRow[]>;

  /** `referrals`: those of the transaction by order, as the orders before have left them. */
  constructor(
    tx: Transaction,
    site: Site,
    context: CreditContext,
    referrals: ReadonlyMap<number, readonly ReferralRow[]>,
  ) {
    this.#tx = tx;
    this.#site = site;
    this.#context = context;
    this.#referrals = referrals;
  }

  /**
   * Existing referrals stay, with the rates they were created with; one whose coupon was removed from the order
   * earns nothing any more. Fields that are new to the order create new ones. Sorted by coupon, so that events
   * and lists have the same order whatever the order of the codes.
   */
  of(
    order: PreparedOrder,
    known: OrderRow | undefined,
    before: readonly ReferralRow[],
  ): DraftReferral[] {
    const { attribution } = this.#context;
    const drafts: DraftReferral[] = before.map((previous) => {
      const dropped = attribution.isCredited(order, previous) ? 0 : 1;
      const row = { ...previous, dropped };
      return { previous, terms: this.#decidedAgain(order, previous, known), row };
    });
    drafts.push(...this.#newReferrals(order, known, before));
    return drafts.sort((a, b) => a.row.coupon_id - b.row.coupon_id);
  }

  /** A renewal is credited like the first payment of its subscription, any other order by what led to it. */
  #newReferrals(
    order: PreparedOrder,
    known: OrderRow | undefined,
    before: readonly ReferralRow[],
  ): DraftReferral[] {
    const { attribution, subscriptions, list, terms } = this.#context;
    const payment = subscriptions.pay(this.#tx, order, !known);
    const firstReferrals = known || !payment ? [] : this.#firstReferrals(order, payment);
    const renewed = firstReferrals.flatMap((first) => {
      const coupon = attribution.renewedCoupon(first.coupon_id);
      if (!coupon) return [];
      const ofFirst = first.terms === null ? undefined : terms.get(first.terms);
      return [
        this.#draft(
          order,
          { coupon, via: first.via, by: 'subscription' as const, clickId: null },
          payment,
          ofFirst
            ? renewalTerms(this.#site, ofFirst, list)
            : currentTerms(this.#site, coupon, list),
        ),
      ];
    });
    if (renewed.length > 0) return renewed;
    const credits = attribution.creditsFor(order, known, before).filter(
      ({ coupon, via }) =>
        !before.some((referral) => referral.coupon_id === coupon.id) &&
        // Without a coupon an order is credited once, when it is new.
        (via === 'coupon' || before.length === 0),
    );
    return credits.map((credit) => {
      attribution.record(this.#tx, order, credit);
      const current = currentTerms(this.#site, credit.coupon, list);
      return this.#draft(order, credit, payment, current);
    });
  }

  /** The referrals of the first payment that the order renews; none for the first payment itself. */
  #firstReferrals({ orderId }: PreparedOrder, { firstOrderId }: Payment): readonly ReferralRow[] {
    if (firstOrderId === orderId) return [];
    const referrals =
      this.#referrals.get(firstOrderId) ?? this.#context.subscriptions.referralsOf(firstOrderId);
    return referrals.filter(({ dropped }) => dropped === 0);
  }

  #draft(
    order: PreparedOrder,
    { coupon, via, by, clickId }: Credit,
    payment: Payment | undefined,
    terms: Terms,
  ): DraftReferral {
    const { id: coupon_id, user_id } = coupon;
    const asked = this.#context.facts.of(terms.rules, order, {
      affiliate: user_id,
      coupon: coupon_id,
      payment,
    });
    const row = {
      order_id: order.orderId,
      coupon_id,
      user_id,
      via,
      credited_by: by,
      click_id: clickId,
      terms: terms.hash,
      facts: asked ? JSON.stringify(asked) : null,
      release_at: null,
      dropped: 0,
    };
    this.#context.terms.set(terms.hash, terms);
    storeTerms(this.#tx, this.#site, terms);
    const facts = factsOf(row);
    const self = isOwn(this.#site, order, coupon) && !this.#site.settings.get(allowSelf);
    const rates = decideRates(terms, ratedOrder(order, order.storeId), facts);
    return { previous: undefined, row, terms: { rates, rules: terms.base, self } };
  }

  /** The rates of an existing referral for its order as it is now. Lines and the total may have changed. */
  #decidedAgain(
    order: PreparedOrder,
    previous: ReferralRow,
    known: OrderRow | undefined,
  ): ReferralTerms {
    const terms = previous.terms === null ? undefined : this.#context.terms.get(previous.terms);
    const stored = JSON.parse(previous.rates) as ReferralTerms;
    if (!terms) return stored;
    const rated = ratedOrder(order, order.storeId ?? known?.store_id ?? null);
    return { ...stored, rates: decideRates(terms, rated, factsOf(previous)) };
  }
}
