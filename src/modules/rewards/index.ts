export { activeRules, type RuleList } from './rule-list.ts';
export type { RewardCounter, RewardRule } from './rule.ts';
export { monthsAfter, windowAt, type DayRange } from './window.ts';
export { storesOfRules } from './rule-names.ts';
