import type { Fraction } from '../../../shared/money.ts';

/** What a rate may come from, in the order in which it is looked for. */
export const rateSources = ['rule', 'renewals', 'product', 'coupon', 'group', 'store'] as const;
export type RateSource = (typeof rateSources)[number];

/** The parts of an order that may belong to the base. */
export const baseParts = ['goods', 'product', 'shipping', 'tax', 'fees'] as const;
export type BasePart = (typeof baseParts)[number];

/** Why a part earns nothing: a rule excludes it, it is beyond a rule's limit, or it belongs to a renewal. */
export const nothingReasons = ['excluded', 'limit', 'renewals'] as const;
export type NothingReason = (typeof nothingReasons)[number];

/** The facts of a step, for programs that explain it in another language. */
export interface StepFacts {
  readonly percent?: number;
  readonly rate_of?: RateSource;
  /** The rule that decided. */
  readonly rule_id?: number;
  readonly because?: NothingReason;
  readonly part?: BasePart;
  readonly product_id?: string;
  readonly quantity?: number;
  readonly before_discount?: boolean;
  readonly includes?: BasePart[];
  /** Among how many affiliates the commission is shared. */
  readonly share_of?: number;
}

/** One step of the calculation, with its amount in minor units of the store's currency. */
export interface Step {
  readonly step:
    | 'base'
    | 'percent'
    | 'fixed'
    | 'limit'
    | 'refund'
    | 'maximum'
    | 'rounding'
    | 'share';
  readonly facts?: StepFacts;
  /** Exact; it may be finer than the smallest unit until the last step. */
  readonly amount: Fraction;
}
