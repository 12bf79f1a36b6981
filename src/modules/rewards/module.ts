import { defineModule } from '../../kernel/declare/module.ts';
import { changeRule } from './change-rule.ts';
import { createRule, tooManyRules } from './create-rule.ts';
import { deleteRule } from './delete-rule.ts';
import { getAffiliateRewards } from './get-affiliate-rewards.ts';
import { listRules } from './list-rules.ts';
import { migrations } from './migrations.ts';
import { orderRules } from './order-rules.ts';
import { previewRule } from './preview-rule.ts';
import { ruleEvents } from './rule-events.ts';
import { rewardSettings } from './settings.ts';

export const rewardsModule = defineModule({
  name: 'rewards',
  summary: 'Rules by which orders earn commission',
  addon: false,
  operations: [
    listRules,
    createRule,
    previewRule,
    changeRule,
    deleteRule,
    orderRules,
    getAffiliateRewards,
  ],
  events: ruleEvents,
  errors: [tooManyRules],
  settings: rewardSettings,
  migrations,
});
