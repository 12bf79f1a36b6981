import { defineModule } from '../../kernel/declare/module.ts';
import { exportAffiliates } from './export-affiliates.ts';
import { exportEvents } from './export-events.ts';
import { exportOrders } from './export-orders.ts';

export const exportsModule = defineModule({
  name: 'exports',
  summary: 'Exports: complete tables as CSV',
  addon: false,
  operations: [exportOrders, exportAffiliates, exportEvents],
});
