export { activeRules } from './rule-list.ts';
export type { RewardRule } from './rule.ts';
