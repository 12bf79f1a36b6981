import { defineModule } from '../../kernel/declare/module.ts';
import { getBalance } from './get-balance.ts';
import { exportStatement } from './statement/export-statement.ts';
import { getStatement } from './statement/get-statement.ts';
import { printStatement } from './statement/print-statement.ts';
import { listAffiliateOrders } from './orders/list-affiliate-orders.ts';

export const earningsModule = defineModule({
  name: 'earnings',
  summary: 'Earnings of an affiliate: balance, orders and statement',
  addon: false,
  operations: [getBalance, listAffiliateOrders, getStatement, exportStatement, printStatement],
});
