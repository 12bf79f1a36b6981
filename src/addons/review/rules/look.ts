import type { Site } from '../../../kernel/declare/site.ts';
import type { NewReferral, PreparedOrder } from '../../../modules/orders/index.ts';
import type { ClickTrace } from '../clicks/trace-rows.ts';
import type { AllRuleOptions, RuleName } from './rules.ts';

/** What rules know besides the order itself. */
export interface Facts {
  /** Affiliates who have had an order, as far as a rule asks that. */
  readonly known: Set<number>;
  /** Where clicks came from, as far as a rule asks that. */
  readonly traces: ReadonlyMap<number, ClickTrace>;
}

export interface Look {
  readonly order: PreparedOrder;
  readonly referral: NewReferral;
  /** The address of the affiliate. */
  readonly ownerEmail: string;
  readonly options: AllRuleOptions;
  readonly facts: Facts;
  readonly site: Site;
}

export interface OrderRule {
  readonly name: RuleName;
  /** The figures for the sentence of a hit; undefined if there is nothing to see. */
  look(at: Look): Record<string, string | number> | undefined;
}
