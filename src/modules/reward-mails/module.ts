import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { mails, notices } from '../mail/index.ts';
import { rewardChanges } from '../rewards/index.ts';
import { correctChanges, mailChanges, noteChange } from './mail-changes.ts';
import { rewardMails, rewardsMail, rewardsNotice } from './reward-mail.ts';
import { tables } from './tables.ts';

export const rewardMailsModule = defineModule({
  name: 'reward-mails',
  summary: 'Emails to affiliates about changed reward rules and bonuses',
  addon: false,
  settings: inGroup(commissionGroup, { 'Emails about changed rewards': rewardMails }),
  jobs: [mailChanges],
  contributions: [
    contribute(mails, rewardsMail),
    contribute(notices, rewardsNotice),
    contribute(rewardChanges, noteChange),
  ],
  migrations: [creating('reward-mails/0001-changes', tables)],
  correctInstants: correctChanges,
});
