import { defineModule } from '../../kernel/declare/module.ts';
import { activityLogEnabled, listEvents, logDisabled } from './list-events.ts';
import { migrations } from './migrations.ts';
import { sequenceEventsJob } from './sequence-events.ts';
import { notifyListeners } from './notify-listeners.ts';
import { tables } from './tables.ts';

export const eventsModule = defineModule({
  name: 'events',
  summary: 'The change feed: every change, in order, read with a cursor',
  addon: false,
  operations: [listEvents],
  settings: [activityLogEnabled],
  errors: [logDisabled],
  jobs: [notifyListeners, sequenceEventsJob],
  tables,
  migrations,
});
