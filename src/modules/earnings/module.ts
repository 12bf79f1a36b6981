import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { mails, notices } from '../mail/index.ts';
import { getBalance } from './get-balance.ts';
import { earnedMail, earnedMails, earnedNotice } from './mails/earned-mail.ts';
import { correctEarnedRun, mailEarned } from './mails/mail-earned.ts';
import { mailReports } from './mails/mail-reports.ts';
import { emptyReports, reportMail, reportMails, reportNotice } from './mails/report-mail.ts';
import { exportAffiliateOrders } from './orders/export-affiliate-orders.ts';
import { listAffiliateOrders } from './orders/list-affiliate-orders.ts';
import { listSources } from './sources/list-sources.ts';
import { exportStatement } from './statement/export-statement.ts';
import { getStatement } from './statement/get-statement.ts';
import { printStatement } from './statement/print-statement.ts';
import { tables } from './tables.ts';

export const earningsModule = defineModule({
  name: 'earnings',
  summary: 'Earnings of an affiliate: balance, orders and statement',
  addon: false,
  operations: [
    getBalance,
    listAffiliateOrders,
    exportAffiliateOrders,
    listSources,
    getStatement,
    exportStatement,
    printStatement,
  ],
  settings: inGroup(commissionGroup, {
    'Emails about earnings': earnedMails,
    'Report emails': reportMails,
    'Report emails without changes': emptyReports,
  }),
  jobs: [mailEarned, mailReports],
  contributions: [
    contribute(mails, earnedMail),
    contribute(mails, reportMail),
    contribute(notices, earnedNotice),
    contribute(notices, reportNotice),
  ],
  migrations: [creating('earnings/0001-earned-mails', tables)],
  correctInstants: correctEarnedRun,
});
