import { checkRule } from './check-rule.ts';
import { hiddenBy } from './compare-rules.ts';
import { OwnerList } from './owner-list.ts';
import { RULES_MAX, type RewardRuleWire } from './rule-schema.ts';
import type { RewardRule, RuleRate } from './rule.ts';
import { ruleSentence } from './sentences.ts';

export type NewRule = Omit<RewardRule, 'id'>;

/** What a rule is that names only its rate. */
export const ruleDefaults: Omit<NewRule, 'rate'> = {
  name: '',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  limit: null,
  running: false,
};

/** The id of a rule that is not stored. */
export const UNSAVED = 0;

export const rewardRules = new OwnerList<RewardRule, RewardRuleWire>({
  table: 'reward_rules',
  key: 'rules',
  many: 'reward rules',
  noun: 'rule',
  title: 'Reward rule',
  version: 'rewards.version',
  max: RULES_MAX,
  tooMany: 'svc_api_too_many_rules',
  events: {
    prefix: 'reward.rule_',
    object: 'reward_rule',
    active: 'Whether the rule is asked.',
    changed:
      'A reward rule was changed or moved. If it was only moved, switched on or off, both sentences are the same.',
    removed: 'A reward rule was deleted.',
    example: {
      id: 150,
      day: '2026-03-02',
      of: 4,
      before: 'The group Gold earns 12 % on candles.',
      after: 'The group Gold earns 15 % on candles.',
    },
  },
  check: ({ from, to }, errors, site) => checkRule({ from, to }, errors, site),
  completed: ({ rate = {}, ...given }) => ({
    id: UNSAVED,
    ...ruleDefaults,
    ...given,
    rate: completeRate(rate),
  }),
  sentence: ruleSentence,
  shown: (rules, index) => ({ position: index + 1, hidden_by: hiddenBy(rules, index) }),
});

/** The rules that are active, in their order. */
export interface RuleList {
  readonly version: number;
  readonly rules: readonly RewardRule[];
}

const NO_RULES: RuleList = { version: 0, rules: [] };
export const activeRules = rewardRules.remember(NO_RULES, (rules, version) => ({ version, rules }));

/** Rates that are not given are null, so that every rule shows all of them. */
function completeRate({ excluded, steps, ...rates }: RuleRate): RuleRate {
  if (excluded) return { excluded };
  if (steps) return { steps };
  return { percent: null, fixed_per_order: null, fixed_per_product: null, ...rates };
}
