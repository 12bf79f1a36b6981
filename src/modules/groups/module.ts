import { adding, creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { changeGroup } from './change-group.ts';
import { createGroup, groupExists } from './create-group.ts';
import { listGroups } from './list-groups.ts';
import { tables } from './tables.ts';

export const groupsModule = defineModule({
  name: 'groups',
  summary: 'Groups of affiliates with rates of their own',
  addon: false,
  operations: [listGroups, createGroup, changeGroup],
  errors: [groupExists],
  migrations: [creating('groups/0001-baseline', tables), adding('groups/0002-after-0.7.0', tables)],
});
