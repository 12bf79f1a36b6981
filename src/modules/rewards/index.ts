export { addRules, removeRules, type AddedRule } from './add-rules.ts';
export { askedBy, asksForCustomer, countsNewCustomers } from './asked-by-rules.ts';
export { builtInNames, builtInRulesOf } from './built-in-rules.ts';
export {
  answer,
  answerOne,
  changeIn,
  changing,
  createIn,
  deleting,
  withInput,
} from './list-operations.ts';
export { OwnerList, rewardChanges, type RewardLists } from './owner-list.ts';
export { RuleCheck } from './check-rule.ts';
export { mismatches, type AskedOrder } from './condition.ts';
export { areInConflict, hiddenBy, isConcerned, rulesOf, type Earner } from './compare-rules.ts';
export { covers, mismatchOf, RuleIndex, type IndexedRule, type RateName } from './rule-index.ts';
export { activeRules, rewardRules, ruleDefaults, type NewRule, type RuleList } from './rules.ts';
export { checkTriedRules, TriedRules, triedRules } from './tried-rules.ts';
export { connectedStores, nameStores, readNames, type NameStores } from './rule-names.ts';
export {
  countedKinds,
  counterKinds,
  countsMoney,
  type RewardBonus,
  type RewardCounter,
  type RewardRule,
  type RuleSteps,
} from './rule.ts';
export { learnGoodsNames, type NamedGoods } from './learn-goods-names.ts';
export { goodsNamesOf } from './goods-names.ts';
export { Version, who as RewardWho, Window as RewardWindow } from './rule-schema.ts';
export { writerIn, type RuleNames } from './sentence-parts.ts';
export { bonusSentence, ruleSentence } from './sentences.ts';
export { dayAfter, monthsAfter, windowAt, type DayRange } from './window.ts';
