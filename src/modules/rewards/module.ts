import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { goodsNameSettings } from './goods-names.ts';
import {
  changeRule,
  createRule,
  deleteRule,
  listRules,
  orderRules,
  previewRule,
  rulesReordered,
} from './rule-operations.ts';
import { rewardRules } from './rules.ts';
import { tables } from './tables.ts';

export const rewardsModule = defineModule({
  name: 'rewards',
  summary: 'Rules by which orders earn commission',
  addon: false,
  operations: [listRules, createRule, previewRule, changeRule, deleteRule, orderRules],
  events: [...Object.values(rewardRules.events), rulesReordered],
  errors: [rewardRules.tooMany],
  settings: inGroup(commissionGroup, {
    'Names of products': goodsNameSettings.products,
    'Names of categories': goodsNameSettings.categories,
    'Names of tags': goodsNameSettings.tags,
    'Version of the reward rules': rewardRules.version,
  }),
  migrations: [creating('rewards/0001-lists', tables)],
});
