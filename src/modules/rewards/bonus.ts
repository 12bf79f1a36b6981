import type { RewardCounter, RuleWho } from './rule.ts';

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
