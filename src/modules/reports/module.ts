import { defineModule } from '../../kernel/declare/module.ts';
import { exportReport } from './compared/export-report.ts';
import { getReport } from './compared/get-report.ts';
import { getSummary } from './get-summary.ts';

export const reportsModule = defineModule({
  name: 'reports',
  summary: 'Store-wide reports',
  addon: false,
  operations: [getSummary, getReport, exportReport],
});
