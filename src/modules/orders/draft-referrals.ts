import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { activeRules, type RuleList } from '../rewards/index.ts';
import { Attribution, type Credit } from './attribution/attribution.ts';
import type { Candidate } from './attribution/candidate-rows.ts';
import { Subscriptions, type Payment } from './attribution/subscriptions.ts';
import { linkOwnOrder } from './customers/customer-links.ts';
import { inheritSource } from './attribution/renewed-sources.ts';
import { decideRates } from './commission/decide-rates.ts';
import { factsOf, ratedOrder, type CreditedTo } from './commission/facts.ts';
import { OrderFacts } from './commission/order-facts.ts';
import { currentTerms, renewalTerms, type ReferralTerms } from './commission/referral-terms.ts';
import { readTerms, storeTerms, type Terms } from './commission/terms.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';
import { ownOrderOf } from './own-order.ts';
import { severalAffiliates } from './settings.ts';
import { CreditedAffiliates, shareCommission, type DraftReferral } from './several-affiliates.ts';

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
  tried?: RuleList,
): Promise<Crediting> {
  const list = tried ?? (await activeRules(site));
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

/** Drafts the referrals of the orders of one transaction. */
export class ReferralDrafts {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #context: CreditContext;
  readonly #referrals: ReadonlyMap<number, readonly ReferralRow[]>;
  /** A coupon has the same terms for all orders of a transaction. */
  readonly #currentTerms = new Map<Candidate, Terms>();

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
    const { attribution, terms } = this.#context;
    const credited = before.filter((referral) => attribution.isCredited(order, referral));
    const affiliates = new CreditedAffiliates(
      this.#site.settings.get(severalAffiliates),
      credited.filter(({ dropped }) => dropped === 0),
    );
    const drafts: DraftReferral[] = before.map((previous) => {
      const { dropped, user_id } = previous;
      const isLive = credited.includes(previous) && (dropped === 0 || affiliates.admit(user_id));
      const row = { ...previous, dropped: isLive ? 0 : 1 };
      return { previous, terms: this.#decidedAgain(order, previous, known), row };
    });
    drafts.push(...this.#newReferrals(order, known, before, affiliates));
    const shared = shareCommission(drafts);
    for (const { previous, row } of shared) {
      // A new referral has terms.
      if (!previous) storeTerms(this.#tx, this.#site, terms.get(row.terms!)!);
    }
    return shared.sort((a, b) => a.row.coupon_id - b.row.coupon_id);
  }

  /** A renewal is credited like the first payment of its subscription, any other order by what led to it. */
  #newReferrals(
    order: PreparedOrder,
    known: OrderRow | undefined,
    before: readonly ReferralRow[],
    affiliates: CreditedAffiliates,
  ): DraftReferral[] {
    const { attribution, subscriptions, list, terms } = this.#context;
    const payment = subscriptions.pay(this.#tx, order, !known);
    const firstReferrals = known || !payment ? [] : this.#firstReferrals(order, payment);
    const renewing = firstReferrals.flatMap((first) => {
      const coupon = attribution.renewedCoupon(first.coupon_id);
      return coupon ? [{ first, coupon }] : [];
    });
    if (renewing.length > 0) {
      return renewing.map(({ first, coupon }) => {
        inheritSource(this.#tx, order.orderId, first);
        const ofFirst = first.terms === null ? undefined : terms.get(first.terms);
        const by = 'subscription' as const;
        const credit = { coupon, via: first.via, by, clickId: null, source: null };
        const of = ofFirst ? renewalTerms(this.#site, ofFirst, list) : this.#termsOf(coupon);
        return this.#draft(order, credit, payment, of, renewedShare(first, renewing));
      });
    }
    const credits = attribution.creditsFor(order, known, before).filter(
      ({ coupon, via }) =>
        !before.some((referral) => referral.coupon_id === coupon.id) &&
        // Without a coupon an order is credited once, when it is new.
        (via === 'coupon' || before.length === 0),
    );
    const admitted = credits.filter(({ coupon }) => affiliates.admit(coupon.user_id));
    return admitted.map((credit) => {
      attribution.record(this.#tx, order, credit);
      const current = this.#termsOf(credit.coupon);
      const share = affiliates.several === 'share' ? creditedOf(credit) : undefined;
      return this.#draft(order, credit, payment, current, share);
    });
  }

  #termsOf(coupon: Candidate): Terms {
    let terms = this.#currentTerms.get(coupon);
    if (!terms) {
      terms = currentTerms(this.#site, coupon, this.#context.list);
      this.#currentTerms.set(coupon, terms);
    }
    return terms;
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
    credit: Credit,
    payment: Payment | undefined,
    terms: Terms,
    share: CreditedTo | undefined,
  ): DraftReferral {
    const { coupon, via, by, clickId } = credit;
    const { id: coupon_id, user_id } = coupon;
    const creditedTo = share ?? creditedOf(credit);
    // Most orders of a store without rules need no more than this.
    const plain = payment || share || terms.index ? undefined : terms.plainRates;
    const asked = plain
      ? undefined
      : this.#context.facts.of(terms.rules, order, { ...creditedTo, payment });
    const stored = share ? { ...asked, share } : asked;
    const row = {
      order_id: order.orderId,
      coupon_id,
      user_id,
      via,
      credited_by: by,
      click_id: clickId,
      terms: terms.hash,
      facts: stored ? JSON.stringify(stored) : null,
      release_at: null,
      dropped: 0,
    };
    this.#context.terms.set(terms.hash, terms);
    const own = ownOrderOf(this.#site, order, coupon);
    if (own) linkOwnOrder(this.#tx, this.#site, order, own.mailboxHash);
    const self = own?.isVoid ?? false;
    const rates =
      plain ?? decideRates(terms, ratedOrder(order, order.storeId), { ...stored, ...creditedTo });
    const { owner_email: ownerEmail } = coupon;
    return { previous: undefined, row, terms: { rates, rules: terms.base, self }, ownerEmail };
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

function creditedOf({ coupon, via }: Pick<Credit, 'coupon' | 'via'>): CreditedTo {
  return { affiliate: coupon.user_id, coupon: coupon.id, via };
}

/** Whose commission a renewal shares: that of the first payment's first coupon, if it gets renewals still. */
function renewedShare(
  first: ReferralRow,
  renewing: readonly { readonly first: ReferralRow; readonly coupon: Candidate }[],
): CreditedTo | undefined {
  const { share } = factsOf(first);
  if (!share) return undefined;
  const leading = renewing.find(({ coupon }) => coupon.id === share.coupon) ?? renewing[0]!;
  return creditedOf({ coupon: leading.coupon, via: leading.first.via });
}
