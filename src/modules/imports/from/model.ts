/**
 * What every system has in common. A manifest maps the rows of its files to these items; one engine applies them.
 * Nothing here reads a file or a database.
 */

/** An amount as a file has it: decimal text in major units, or an integer in the currency's smallest unit. */
export type Money = { readonly major: string } | { readonly minor: number };

/**
 * Names by which files refer to an affiliate: `id:12`, `email:ann@example.com`, `login:ann`, `code:ann10`. Two items
 * that share one are about the same affiliate.
 */
export type AffiliateKey = `${'id' | 'email' | 'login' | 'code'}:${string}`;

/** How the old system sees an affiliate; applicants that were never accepted are not imported. */
export type AffiliateState = 'active' | 'suspended' | 'applicant';

export interface AffiliateItem {
  readonly kind: 'affiliate';
  readonly keys: readonly AffiliateKey[];
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly login?: string | undefined;
  readonly website?: string | undefined;
  /** Not known where a row only mentions the affiliate. */
  readonly state?: AffiliateState | undefined;
  /** Text of a date. */
  readonly registered?: string | undefined;
}

/** A code of an affiliate: of its links, or a coupon. */
export interface CodeItem {
  readonly kind: 'code';
  readonly owner: readonly AffiliateKey[];
  readonly code: string;
}

/** `approved` is earned, and the file does not say whether it has been paid. */
export const referralStates = ['pending', 'approved', 'unpaid', 'paid', 'rejected'] as const;
export type ReferralState = (typeof referralStates)[number];

export interface ReferralItem {
  readonly kind: 'referral';
  readonly owner: readonly AffiliateKey[];
  /** The id in the old system; without one the other fields identify the referral. */
  readonly id?: string | undefined;
  readonly state: ReferralState;
  /** The commission. */
  readonly amount: Money;
  readonly sale?: Money | undefined;
  readonly currency?: string | undefined;
  /** The number of the order, or what else the old system refers to. */
  readonly reference?: string | undefined;
  readonly date?: string | undefined;
}

/** What the old system still owes an affiliate. */
export interface BalanceItem {
  readonly kind: 'balance';
  readonly owner: readonly AffiliateKey[];
  readonly amount: Money;
  readonly currency?: string | undefined;
}

export const payoutStates = ['open', 'paid', 'failed'] as const;
export type PayoutState = (typeof payoutStates)[number];

export interface PayoutItem {
  readonly kind: 'payout';
  readonly owner: readonly AffiliateKey[];
  readonly id?: string | undefined;
  readonly state: PayoutState;
  readonly amount: Money;
  readonly currency?: string | undefined;
  readonly reference?: string | undefined;
  readonly date?: string | undefined;
}

export type Item = AffiliateItem | CodeItem | ReferralItem | BalanceItem | PayoutItem;
