import type { Static } from 'typebox';
import type { RuleFields, Window } from './rule-schema.ts';

export { countedKinds, counterKinds } from '../../web-contract/reward-kinds.ts';

/** What is stored does not change. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Fixed<T[Name]> }
    : T;

/** Amounts of a rule are in the store's currency, as the owner wrote them: `12.5`. */
export type RewardRule = Fixed<Omit<RuleFields, 'who'>> & {
  readonly id: number;
  readonly who: RuleWho;
};

/** Whose orders it applies to: at most one of the lists is there, and none means everyone. */
export type RuleWho = Omit<Fixed<RuleFields['who']>, 'groups'> & {
  /** Ids of groups. Requests and responses have their names. */
  readonly groups?: readonly number[];
};
export type RuleOrder = RewardRule['order'];

/** Each rate may be left to the rules below: null. With `excluded` or `steps` there is no other field. */
export type RuleRate = RewardRule['rate'];
/** Rising, the first from 0. */
export type RuleSteps = NonNullable<RuleRate['steps']>;
/** What is beyond the limit earns nothing. Exactly one of `payments`, `months` and `amount` is there. */
export type RuleLimit = NonNullable<RewardRule['limit']>;

/** A number that an affiliate collects in a window: of orders whose commission is payable, or of all that count. */
export type RewardCounter = Pick<RuleSteps, 'by' | 'counts' | 'window'>;
export type CounterKind = RewardCounter['by'];
/** Calendar windows are those of the site's time zone. `days`: the last so many days, the order's included. */
export type RewardWindow = Fixed<Static<typeof Window>>;

/** Whether it counts an amount of money, which rules have in major and figures in minor units. */
export function countsMoney(by: CounterKind): by is 'sales' | 'commission' {
  return by === 'sales' || by === 'commission';
}

/** An amount for a target. Amounts are in the store's currency, as the owner wrote them. */
export interface RewardBonus {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly who: RuleWho;
  readonly target: BonusTarget;
  /** How often an affiliate gets it: in each window of the target, or once. */
  readonly once: 'window' | 'ever';
  readonly pays: BonusPays;
  /** When it became active with its target, or when a changed target begins: it pays for windows that were not over then. */
  readonly since: number;
}

/** What an affiliate has to reach: a value of a counter, or an event. */
export type BonusTarget =
  | (RewardCounter & { readonly at: number })
  | { readonly event: 'first_order' | 'accepted' };

/** A fixed amount, or a percentage of what the window of the target has brought. */
export type BonusPays =
  | { readonly amount: number }
  | { readonly percent: number; readonly of: 'sales' | 'commission' };
