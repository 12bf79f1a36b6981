import type { Credit } from './attribution/attribution.ts';
import type { Payment } from './attribution/subscriptions.ts';
import { factsOf, type CreditedTo } from './commission/facts.ts';
import type { Terms } from './commission/terms.ts';
import type { ReferralRow } from './order-rows.ts';

/** The columns of a referral that say whom an order is credited to, and by what. */
export type CreditedColumns = Pick<
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
  | 'new_customer'
>;

/** One account that an order is credited to, before it is decided what it earns. */
export interface CreditedReferral {
  readonly previous: ReferralRow | undefined;
  readonly row: CreditedColumns;
  /** Undefined for rates that were decided before terms were stored. */
  readonly terms: Terms | undefined;
  /** Undefined for a referral that was decided before. */
  readonly credit?: Credit | undefined;
  readonly payment?: Payment | undefined;
  /** Whose commission it is a part of, if affiliates share one. */
  readonly share?: CreditedTo | undefined;
  /** The affiliate's own order, which earns nothing. */
  readonly self: boolean;
  /** It was decided before, and keeps its facts. */
  readonly kept: boolean;
  /** It begins to count again: what its limits have left is asked again. */
  readonly recounts: boolean;
  /** The referral of the first payment that it renews. */
  readonly renews?: FirstReferral | undefined;
  /** The address of the affiliate, for a new referral. */
  readonly ownerEmail: string;
  /** The hash of the affiliate's mailbox, if it is that of the customer. */
  readonly ownMailbox?: string | undefined;
}

/** A referral of the first payment of a subscription, as its renewals need it. */
export interface FirstReferral extends Pick<
  CreditedColumns,
  'order_id' | 'coupon_id' | 'user_id' | 'via' | 'terms' | 'click_id' | 'dropped'
> {
  readonly share: CreditedTo | undefined;
  readonly self: boolean;
}

export function firstReferral(stored: ReferralRow): FirstReferral {
  return { ...stored, share: factsOf(stored).share, self: isSelfReferral(stored) };
}

/** Whether a stored referral is of the affiliate's own order. Quotes in other texts are escaped. */
export function isSelfReferral({ rates }: Pick<ReferralRow, 'rates'>): boolean {
  return rates.includes('"self":true');
}
