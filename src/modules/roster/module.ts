import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { personErasures } from '../person/index.ts';
import { eraseEntry } from './erase-entry.ts';
import { listRoster } from './list-roster.ts';
import { migrations } from './migrations.ts';
import { refreshRoster } from './refresh-roster.ts';
import { tables } from './tables.ts';

export const rosterModule = defineModule({
  name: 'roster',
  summary: "Roster: the store's list of affiliates, with figures to sort by",
  addon: false,
  operations: [listRoster],
  jobs: [refreshRoster],
  tables,
  migrations,
  contributions: [contribute(personErasures, eraseEntry)],
});
