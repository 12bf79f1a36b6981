import { defineModule } from '../../kernel/declare/module.ts';
import { changeGroup } from './change-group.ts';
import { createGroup, groupExists } from './create-group.ts';
import { listGroups } from './list-groups.ts';
import { migrations } from './migrations.ts';

export const groupsModule = defineModule({
  name: 'groups',
  summary: 'Groups of affiliates with rates of their own',
  addon: false,
  operations: [listGroups, createGroup, changeGroup],
  errors: [groupExists],
  migrations,
});
