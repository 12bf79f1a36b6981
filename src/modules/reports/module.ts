import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { exportReport } from './compared/export-report.ts';
import { getReport } from './compared/get-report.ts';
import { getSummary } from './get-summary.ts';
import { tables } from './tables.ts';
import { deleteView, listViews, saveView, tooManyViews } from './views/view-operations.ts';

export const reportsModule = defineModule({
  name: 'reports',
  summary: 'Store-wide reports',
  addon: false,
  operations: [getSummary, getReport, exportReport, listViews, saveView, deleteView],
  errors: [tooManyViews],
  migrations: [creating('reports/0001-views', tables)],
});
