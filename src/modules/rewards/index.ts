export { activeRules, type RuleList } from './rule-list.ts';
export { storesOfRules } from './rule-names.ts';
export type { RewardCounter, RewardRule } from './rule.ts';
/** @public Used by modules that explain orders and pay bonuses. */
export { bonusSentence, limitSentence, stepSentence } from './sentences.ts';
export { monthsAfter, windowAt, type DayRange } from './window.ts';
