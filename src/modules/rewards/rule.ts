import type {
  countedKinds,
  counterKinds,
  creditKinds,
  customerKinds,
  paymentKinds,
  windowKinds,
} from '../../web-contract/reward-kinds.ts';

export {
  countedKinds,
  counterKinds,
  creditKinds,
  customerKinds,
  paymentKinds,
  windowKinds,
} from '../../web-contract/reward-kinds.ts';

/** Amounts of a rule are in the store's currency, as the owner wrote them: `12.5`. */
export interface RewardRule {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly who: RuleWho;
  readonly what: RuleWhat;
  readonly order: RuleOrder;
  /** The first and the last local day of the orders that it applies to; null for an open end. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rate: RuleRate;
  readonly limit: RuleLimit | null;
  /** It also applies to the renewals of subscriptions that began before it. */
  readonly running: boolean;
}

/** Whose orders it applies to: at most one of the lists is there, and none means everyone. */
export interface RuleWho {
  /** Ids of groups. Requests and responses have their names. */
  readonly groups?: readonly number[];
  readonly affiliates?: readonly number[];
  readonly coupons?: readonly number[];
}

/** What it applies to: at most one of the lists is there, and none means everything. Ids are those of the store. */
export interface RuleWhat {
  readonly products?: readonly string[];
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
}

/** Which orders it applies to: all conditions that are there must hold. */
export interface RuleOrder {
  readonly customer?: (typeof customerKinds)[number];
  readonly payment?: (typeof paymentKinds)[number];
  /** Payments of a subscription by number, both ends included. */
  readonly payments?: { readonly from?: number; readonly to?: number };
  readonly min_total?: number;
  readonly countries?: readonly string[];
  readonly via?: readonly (typeof creditKinds)[number][];
  /** Ids of connected stores. */
  readonly stores?: readonly number[];
}

/** Each rate may be left to the rules below: null. With `excluded` or `steps` there is no other field. */
export interface RuleRate {
  readonly percent?: number | null;
  readonly fixed_per_order?: number | null;
  readonly fixed_per_product?: number | null;
  readonly excluded?: true;
  readonly steps?: RuleSteps;
}

export type CounterKind = (typeof counterKinds)[number];

/** Whether it counts an amount of money, which rules have in major and figures in minor units. */
export function countsMoney(by: CounterKind): by is 'sales' | 'commission' {
  return by === 'sales' || by === 'commission';
}

/** A number that an affiliate collects in a window. */
export interface RewardCounter {
  readonly by: CounterKind;
  /** Orders whose commission is payable, or all that count in statistics. */
  readonly counts: (typeof countedKinds)[number];
  readonly window: RewardWindow;
}

export interface RuleSteps extends RewardCounter {
  /** Rising, the first from 0. */
  readonly steps: readonly { readonly from: number; readonly percent: number }[];
}

/** Calendar windows are those of the site's time zone. `days`: the last so many days, the order's included. */
export interface RewardWindow {
  readonly kind: (typeof windowKinds)[number];
  readonly days?: number;
}

/** What is beyond the limit earns nothing. Exactly one of `payments`, `months` and `amount` is there. */
export interface RuleLimit {
  /** The first so many payments of a customer. */
  readonly payments?: number;
  /** Whole months from the first credited order of a customer. */
  readonly months?: number;
  /** A sum, for each customer or each affiliate, in a window. */
  readonly amount?: number;
  readonly per?: 'customer' | 'affiliate';
  readonly window?: RewardWindow;
}
