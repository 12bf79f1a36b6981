import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { exportReport } from './compared/export-report.ts';
import { getReport } from './compared/get-report.ts';
import { getSummary } from './get-summary.ts';
import { tables } from './tables.ts';
import { deleteView } from './views/delete-view.ts';
import { listViews } from './views/list-views.ts';
import { saveView, tooManyViews } from './views/save-view.ts';

export const reportsModule = defineModule({
  name: 'reports',
  summary: 'Store-wide reports',
  addon: false,
  operations: [getSummary, getReport, exportReport, listViews, saveView, deleteView],
  errors: [tooManyViews],
  migrations: [creating('reports/0001-views', tables)],
});
