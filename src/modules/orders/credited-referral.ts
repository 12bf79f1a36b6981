import type { Credit } from './attribution/attribution.ts';
import type { Payment } from './attribution/subscriptions.ts';
import { factsOf, type CreditedTo } from './commission/facts.ts';
import type { Terms } from './commission/terms.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';

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

/** Whose facts decide: those of the leading affiliate where a commission is shared. */
export function creditedTo({ row, share }: CreditedReferral): CreditedTo {
  return share ?? { affiliate: row.user_id, coupon: row.coupon_id, via: row.via };
}

export function hasRules({ terms }: CreditedReferral): boolean {
  return terms?.index !== undefined;
}

/** Whether it is decided now if an order is the first of its customer: once, when both are known. */
export function decidesCustomer(
  { order, known, isDecided }: CreditedOrder,
  { kept }: CreditedReferral,
): boolean {
  if (!isDecided || order.customerHash === null) return false;
  return !kept || known?.customer_hash === null;
}

export function isCredited(referrals: readonly Pick<ReferralRow, 'dropped'>[]): boolean {
  return referrals.some(({ dropped }) => dropped === 0);
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
