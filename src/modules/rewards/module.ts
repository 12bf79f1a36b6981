import { defineModule } from '../../kernel/declare/module.ts';
import { migrations } from './migrations.ts';
import { rewardSettings } from './settings.ts';

export const rewardsModule = defineModule({
  name: 'rewards',
  summary: 'Rules by which orders earn commission',
  addon: false,
  settings: rewardSettings,
  migrations,
});
