import type { RuleSteps } from '../../rewards/index.ts';

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

/** The rates of a rule. */
export const rateNames = ['percent', 'fixed_per_order', 'fixed_per_product'] as const;
export type RateName = (typeof rateNames)[number];

/** What is earned, as a rule of this program can say it. */
export interface RateTerms {
  readonly percent?: number | undefined;
  readonly perOrder?: Money | undefined;
  readonly perProduct?: Money | undefined;
  readonly currency?: string | undefined;
  readonly excluded?: true;
  readonly steps?: RuleSteps;
  /** Only renewals of subscriptions, up to this payment; null for all of them. */
  readonly renewalsTo?: number | null;
  /** The first so many payments of a customer, or so many months. */
  readonly limit?: { readonly payments: number } | { readonly months: number } | undefined;
}

/**
 * What a rate is for. Rules for the first kinds stand above the others. `own`: a rate of an affiliate, which is the
 * standard one where the old system has no other.
 */
export const rateKinds = ['renewals', 'own', 'products', 'campaign', 'steps', 'everyone'] as const;

/** A rate of the old system, which becomes a reward rule; equal ones of the same kind become one rule. */
export interface RateItem {
  readonly kind: 'rate';
  readonly of: (typeof rateKinds)[number];
  readonly terms: RateTerms;
  /** With `own`: the affiliate. */
  readonly owner?: readonly AffiliateKey[];
  /** With `products`: its id in the store. */
  readonly product?: string;
  /** With `campaign`: its id in the old system. */
  readonly campaign?: string;
}

/** What the old system pays where no other rate applies. */
export interface StandardItem {
  readonly kind: 'standard';
  readonly terms: RateTerms;
  /** Renewals of subscriptions earn only by rates for renewals. */
  readonly renewalsApart: boolean;
}

/** Rewards that a campaign of the old system consists of, by their ids. */
export interface CampaignItem {
  readonly kind: 'campaign';
  readonly id: string;
  readonly isDefault: boolean;
  readonly rewards: readonly string[];
}

/** A reward of the old system, which earns nothing until a campaign has it. */
export interface RewardItem {
  readonly kind: 'reward';
  readonly id: string;
  readonly terms: RateTerms;
}

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
  /** The campaigns of the old system that it belongs to, by id. */
  readonly campaigns?: readonly string[];
}

/** A code of an affiliate: of its links, or a coupon. */
export interface CodeItem {
  readonly kind: 'code';
  readonly owner: readonly AffiliateKey[];
  readonly code: string;
  /** Rates of its own. */
  readonly terms?: Pick<RateTerms, 'percent' | 'perOrder' | 'perProduct'>;
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

export type Item =
  | AffiliateItem
  | CodeItem
  | ReferralItem
  | BalanceItem
  | PayoutItem
  | RateItem
  | StandardItem
  | CampaignItem
  | RewardItem;
