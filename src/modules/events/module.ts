import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { apiGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { activityLogEnabled, listEvents, logDisabled } from './list-events.ts';
import { notifyListeners } from './notify-listeners.ts';
import { searchEvents } from './search-events.ts';
import { sequenceEventsJob } from './sequence-events.ts';
import { feedEffect } from './setting-effects.ts';
import { tables } from './tables.ts';

export const eventsModule = defineModule({
  name: 'events',
  summary: 'The change feed: every change, in order, read with a cursor',
  addon: false,
  operations: [listEvents, searchEvents],
  settings: inGroup(apiGroup, { 'Change feed': activityLogEnabled }),
  errors: [logDisabled],
  jobs: [notifyListeners, sequenceEventsJob],
  migrations: [
    creating('events/0001-baseline', tables, {
      after: (_schema, dialect) => [
        ...dialect.makeAppendOnly('events'),
        ...dialect.forbidReplace('events'),
      ],
    }),
  ],
  contributions: [contribute(settingEffects, feedEffect)],
});
