import { defineModule } from '../../kernel/declare/module.ts';
import { getSummary } from './get-summary.ts';

export const reportsModule = defineModule({
  name: 'reports',
  summary: 'The store as a whole',
  addon: false,
  operations: [getSummary],
});
