import { defineModule } from '../../kernel/declare/module.ts';
import { firstSteps } from '../../kernel/declare/overview.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { storeGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { getOverview } from './get-overview.ts';
import { confirmedSteps } from './open-steps.ts';

export const overviewModule = defineModule({
  name: 'overview',
  summary: 'Pending tasks of the team, and the first steps of a store',
  addon: false,
  operations: [getOverview],
  settings: inGroup(storeGroup, { 'Confirmed first steps': confirmedSteps }),
  contributions: [
    // How a store makes its backups, the service cannot know.
    contribute(firstSteps, { name: 'backup', title: 'Make a backup' }),
  ],
});
