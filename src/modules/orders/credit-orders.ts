import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { RuleList } from '../rewards/index.ts';
import { newFields, type Attribution, type Credit } from './attribution/attribution.ts';
import type { Candidate } from './attribution/candidate-rows.ts';
import type { Payment, Subscriptions } from './attribution/subscriptions.ts';
import { factsOf, type CreditedTo } from './commission/facts.ts';
import { currentTerms, renewalTerms } from './commission/referral-terms.ts';
import type { Terms } from './commission/terms.ts';
import {
  firstReferral,
  isSelfReferral,
  type CreditedReferral,
  type FirstReferral,
} from './credited-referral.ts';
import { linkOwnOrder } from './customers/customer-links.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';
import { ownOrderOf } from './own-order.ts';
import { severalAffiliates } from './settings.ts';
import { CreditedAffiliates } from './several-affiliates.ts';

/** A version of an order that is stored, with what is known of the versions before. */
export interface VersionToCredit {
  readonly order: PreparedOrder;
  readonly known: OrderRow | undefined;
  readonly before: readonly ReferralRow[];
  /** Whether it counts now. */
  readonly counts: boolean;
}

interface CreditingParts {
  readonly list: RuleList;
  readonly subscriptions: Subscriptions;
  readonly attribution: Attribution;
  /** By hash, the terms of existing referrals; new ones are added. */
  readonly terms: Map<string, Terms>;
}

/** Credits the orders of one transaction, oldest first. */
export function beginCrediting(
  site: Site,
  { list, subscriptions, attribution, terms: knownTerms }: CreditingParts,
) {
  /** By order of a subscription, the referrals that this transaction has credited. */
  const creditedBefore = new Map<number, readonly CreditedReferral[]>();
  /** A coupon has the same terms for all orders of a transaction. */
  const termsByCoupon = new Map<Candidate, Terms>();

  /**
   * While an order is an estimate, each version is credited by what it says, and leaves nothing behind. Once it is
   * decided, its referrals stay with what they were decided by; one whose coupon was removed from the order earns nothing
   * any more, and fields that are new to the order create new ones.
   */
  function creditOrder(version: VersionToCredit): CreditedReferral[] {
    const isDecided = version.known !== undefined && version.known.decided_at !== null;
    const credited = isDecided ? creditAgain(version) : creditEstimate(version);
    if (version.order.subscription) creditedBefore.set(version.order.orderId, credited);
    return credited;
  }

  /** Records what led to an order that counts. */
  function record(
    tx: Transaction,
    order: PreparedOrder,
    credited: readonly CreditedReferral[],
  ): void {
    for (const { credit, renews, ownMailbox } of credited) {
      if (ownMailbox !== undefined) linkOwnOrder(tx, site, order, ownMailbox);
      if (renews) attribution.recordRenewal(tx, order, renews);
      else if (credit) attribution.record(tx, order, credit);
    }
  }

  function creditEstimate(version: VersionToCredit): CreditedReferral[] {
    const { order, before } = version;
    const affiliates = new CreditedAffiliates(site.settings.get(severalAffiliates), []);
    const led = attribution.leadingTo(order, order);
    const next =
      led.length > 0 && !repeatsFirst(order, led)
        ? admit(version, led, affiliates)
        : renewedOrStaying(version, affiliates);
    const left = before.filter(
      ({ coupon_id }) => !next.some(({ row }) => row.coupon_id === coupon_id),
    );
    return [...left.map((previous) => keep(version, previous, 1)), ...next];
  }

  function creditAgain(version: VersionToCredit): CreditedReferral[] {
    const { order, known, before } = version;
    const credited = before.filter((referral) => attribution.isCredited(order, referral));
    const affiliates = new CreditedAffiliates(
      site.settings.get(severalAffiliates),
      credited.filter(({ dropped }) => dropped === 0),
    );
    const kept = before.map((previous) => {
      const { dropped, user_id } = previous;
      const isLive = credited.includes(previous) && (dropped === 0 || affiliates.admit(user_id));
      return keep(version, previous, isLive ? 0 : 1);
    });
    const codes = before.map(({ coupon_id }) => attribution.accounts.codeOf(coupon_id));
    const fields = newFields(order, known!, codes);
    const led = attribution.leadingTo(order, fields).filter(
      ({ coupon, via }) =>
        !before.some(({ coupon_id }) => coupon_id === coupon.id) &&
        // Without a coupon an order is credited once.
        (via === 'coupon' || before.length === 0),
    );
    if (led.length > 0) return [...kept, ...admit(version, led, affiliates)];
    if (before.length > 0) return kept;
    // A customer that led to no affiliate is not looked up again.
    return renewedOrStaying(version, affiliates, order.customerHash !== known!.customer_hash);
  }

  /** Whether a renewal just has the codes of its first payment again, as Stripe sends them: it keeps the terms of that. */
  function repeatsFirst(order: PreparedOrder, led: readonly Credit[]): boolean {
    const payment = subscriptions.paymentOf(order);
    if (!payment || payment.firstOrderId === order.orderId) return false;
    const renewing = renewable(order, payment);
    return led.every(({ coupon, via }) => {
      const isSame = ({ id, user_id }: Candidate) => id === coupon.id && user_id === coupon.user_id;
      return via === 'coupon' && renewing.some((one) => isSame(one.coupon));
    });
  }

  /** A renewal is credited like the first payment of its subscription, another order by its customer. */
  function renewedOrStaying(
    version: VersionToCredit,
    affiliates: CreditedAffiliates,
    asksCustomer = true,
  ): CreditedReferral[] {
    const { order } = version;
    const payment = subscriptions.paymentOf(order);
    const renewing = payment ? renewable(order, payment) : [];
    if (renewing.length > 0) return renewals(version, payment!, renewing);
    return asksCustomer ? admit(version, attribution.lifetime(order), affiliates) : [];
  }

  function admit(
    version: VersionToCredit,
    credits: readonly Credit[],
    affiliates: CreditedAffiliates,
  ): CreditedReferral[] {
    const payment = subscriptions.paymentOf(version.order);
    const admitted = credits.filter(({ coupon }) => affiliates.admit(coupon.user_id));
    return admitted.map((credit) => {
      const share = affiliates.several === 'share' ? creditedTo(credit) : undefined;
      const terms = estimatedTerms(version, credit.coupon) ?? termsOf(credit.coupon);
      return create(version, credit, { payment, terms, share });
    });
  }

  function renewals(
    version: VersionToCredit,
    payment: Payment,
    renewing: readonly Renewing[],
  ): CreditedReferral[] {
    return renewing.map(({ first, coupon }) => {
      const ofFirst = knownTerms.get(first.terms ?? '');
      const by = 'subscription' as const;
      const credit = { coupon, via: first.via, by, clickId: null, source: null };
      const own =
        estimatedTerms(version, coupon) ??
        (ofFirst ? renewalTerms(site, ofFirst, list) : termsOf(coupon));
      const share = renewedShare(first, renewing);
      return create(version, credit, { payment, terms: own, share, renews: first });
    });
  }

  /** The live referrals of the first payment, as far as their affiliates still earn. */
  function renewable({ orderId }: PreparedOrder, { firstOrderId }: Payment): Renewing[] {
    if (firstOrderId === orderId) return [];
    const own = creditedBefore
      .get(firstOrderId)
      ?.map(({ row, share, self }) => ({ ...row, share, self }));
    const firsts = own ?? subscriptions.referralsOf(firstOrderId).map(firstReferral);
    return firsts.flatMap((first) => {
      const coupon = first.dropped === 0 ? attribution.accounts.of(first) : undefined;
      return coupon ? [{ first, coupon }] : [];
    });
  }

  function create(
    { order, before }: VersionToCredit,
    credit: Credit,
    made: Pick<CreditedReferral, 'payment' | 'share'> & {
      readonly terms: Terms;
      readonly renews?: FirstReferral;
    },
  ): CreditedReferral {
    const { coupon, via } = credit;
    const { terms, renews } = made;
    knownTerms.set(terms.hash, terms);
    const previous = before.find(({ coupon_id }) => coupon_id === coupon.id);
    const own = ownOrderOf(site, order, coupon);
    const row = {
      order_id: order.orderId,
      coupon_id: coupon.id,
      user_id: coupon.user_id,
      via,
      credited_by: credit.by,
      click_id: credit.clickId,
      terms: terms.hash,
      facts: null,
      release_at: null,
      dropped: 0,
      new_customer: 0,
    };
    return {
      ...made,
      previous,
      row,
      credit,
      self: own?.isVoid ?? isStoredSelf(order, previous, renews),
      kept: false,
      recounts: false,
      ownerEmail: coupon.owner_email,
      ...(own && { ownMailbox: own.mailboxHash }),
    };
  }

  function keep(
    { counts }: VersionToCredit,
    previous: ReferralRow,
    dropped: 0 | 1,
  ): CreditedReferral {
    const terms = knownTerms.get(previous.terms ?? '');
    const isLost = previous.counted === 0 || previous.state === 'void';
    return {
      previous,
      row: { ...previous, dropped },
      terms,
      self: isSelfReferral(previous),
      kept: true,
      recounts: counts && dropped === 0 && isLost,
      ownerEmail: '',
    };
  }

  /** An estimate keeps the terms of the moment when it was first credited to the coupon. */
  function estimatedTerms({ before }: VersionToCredit, { id }: Candidate): Terms | undefined {
    const estimate = before.find(({ coupon_id }) => coupon_id === id);
    // One that shared a commission has the terms of the affiliate whose commission it was.
    if (!estimate || factsOf(estimate).coupon !== id) return undefined;
    return knownTerms.get(estimate.terms ?? '');
  }

  function termsOf(coupon: Candidate): Terms {
    let terms = termsByCoupon.get(coupon);
    if (!terms) {
      terms = currentTerms(site, coupon, list);
      termsByCoupon.set(coupon, terms);
    }
    return terms;
  }

  return { credit: creditOrder, record };
}

/** A stored order has no address any more by which an own order is recognized: that was done when it came in. */
function isStoredSelf(
  { isStored }: PreparedOrder,
  previous: ReferralRow | undefined,
  renews: FirstReferral | undefined,
): boolean {
  if (!isStored) return false;
  return previous ? isSelfReferral(previous) : (renews?.self ?? false);
}

function creditedTo({ coupon, via }: Pick<Credit, 'coupon' | 'via'>): CreditedTo {
  return { affiliate: coupon.user_id, coupon: coupon.id, via };
}

interface Renewing {
  readonly first: FirstReferral;
  readonly coupon: Candidate;
}

/** Whose commission a renewal shares: that of the first payment's first coupon, if it gets renewals still. */
function renewedShare(
  { share }: FirstReferral,
  renewing: readonly Renewing[],
): CreditedTo | undefined {
  if (!share) return undefined;
  const leading = renewing.find(({ coupon }) => coupon.id === share.coupon) ?? renewing[0]!;
  return creditedTo({ coupon: leading.coupon, via: leading.first.via });
}
