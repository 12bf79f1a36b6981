import type { Site } from '../../../src/kernel/declare/site.ts';
import type { NewReferral, PreparedOrder } from '../../../src/modules/orders/index.ts';
import type { ClickTrace } from '../clicks/trace-rows.ts';
import type { AllRuleOptions, RuleName } from './rules.ts';

/** What rules know besides the order itself. */
export interface Facts {
  /** Affiliates who have had an order, as far as a rule asks that. */
  readonly known: Set<number>;
  /** Where clicks came from, as far as a rule asks that. */
  readonly traces: ReadonlyMap<number, ClickTrace>;
  /** By affiliate, the folded name of the holder of the payout destination, as far as orders have names. */
  readonly holders: ReadonlyMap<number, string>;
}

/** What a rule has found. */
export interface Found {
  /** The figures for its sentence. */
  readonly figures: Readonly<Record<string, string | number>>;
  /** It may be a coincidence: where the rule rejects, the order is held for a person to decide. */
  readonly isDoubtful?: boolean;
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
  /** Undefined if there is nothing to see. */
  look(at: Look): Found | undefined;
}
