import type { Reader, Transaction } from '../../../db/database.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { dayText } from '../../../shared/formats.ts';
import { listOwners } from '../../coupons/index.ts';
import { enqueueMail, formatMoney } from '../../mail/index.ts';
import { recipientOf } from '../../users/index.ts';
import { Statement, totalsOf, type Period, type StatementLine } from '../statement/statement.ts';
import { recipients } from './earned-rows.ts';
import { emptyReports, reportMail, reportMails } from './report-mail.ts';
import { lastPeriod } from './report-period.ts';
import { findReportRun, removeReportRun, saveReportRun, type ReportRun } from './report-rows.ts';

/** The hour of the site's clock from which on the mails of a day are sent. */
const HOUR = 8;
/** Affiliates whose statements are read before their mails are committed. */
const AT_ONCE = 20;
const LINES_AT_ONCE = 500;

/**
 * Sends affiliates the figures of their statement when a period is over. The mails and how far the run has come are
 * committed together, so a crash neither skips nor repeats one. A period that ended before the setting was changed
 * gets no mail, and of several that ended while the service was down only the last one.
 */
export const mailReports: Job = {
  name: 'earnings.mail-reports',
  everyMs: 5 * 60_000,
  runsOn: 'one',
  async run(site) {
    while (await mailSome(site));
  },
};

/** Mails to some affiliates; returns whether there are more. */
async function mailSome(site: Site): Promise<boolean> {
  const { database } = site;
  const interval = site.settings.get(reportMails);
  const run = await findReportRun(database.read);
  if (interval === 'off') {
    if (run) await database.transaction((tx) => removeReportRun(tx));
    return false;
  }
  const now = site.calendar.toLocal(site.clock());
  const period = lastPeriod(interval, now.slice(0, 10));
  if (run?.interval !== interval) {
    const begun = { interval, done_to: period.to, run_to: null, after_user: 0 };
    await database.transaction((tx) => saveReportRun(tx, begun));
    return false;
  }
  if (run.done_to >= period.to || Number(now.slice(11, 13)) < HOUR) return false;
  const page = { after: run.run_to === period.to ? run.after_user : 0, limit: AT_ONCE };
  const owners = (await listOwners(database.read, page)).map(({ user_id }) => user_id);
  const reports = await readReports(database.read, site, owners, period);
  const isOver = owners.length < AT_ONCE;
  const next = isOver
    ? { interval, done_to: period.to, run_to: null, after_user: 0 }
    : { ...run, run_to: period.to, after_user: owners.at(-1)! };
  const isSaved = await database.transaction((tx) => save(tx, site, { run, next, reports }));
  return isSaved && !isOver;
}

interface Report {
  readonly userId: number;
  readonly statement: Statement;
  readonly totals: ReturnType<typeof totalsOf>;
}

async function readReports(
  db: Reader,
  site: Site,
  userIds: readonly number[],
  period: Period,
): Promise<Report[]> {
  const reports: Report[] = [];
  for (const userId of userIds) {
    const statement = await Statement.open(db, site, userId, period);
    const sums = await sumLines(statement);
    if (sums.lines > 0 || site.settings.get(emptyReports)) {
      reports.push({ userId, statement, totals: sums.totals });
    }
  }
  return reports;
}

/** The totals of a statement, page by page: that of a large affiliate has more lines than a screen shows. */
async function sumLines(statement: Statement) {
  const totals = totalsOf([]);
  let lines = 0;
  let last: StatementLine | undefined;
  for (;;) {
    const page = { after: last?.id ?? 0, limit: LINES_AT_ONCE };
    const more = await statement.readLines(page, last?.balance ?? statement.opening);
    const sums = totalsOf(more);
    for (const kind of Object.keys(sums) as (keyof typeof sums)[]) totals[kind] += sums[kind];
    lines += more.length;
    last = more.at(-1);
    if (more.length < LINES_AT_ONCE) return { totals, lines };
  }
}

interface Step {
  readonly run: ReportRun;
  readonly next: ReportRun;
  readonly reports: readonly Report[];
}

/** False if another instance was faster. */
async function save(tx: Transaction, site: Site, { run, next, reports }: Step): Promise<boolean> {
  await tx.lock('report mails');
  const current = await findReportRun(tx);
  const isSame =
    current?.interval === run.interval &&
    current.done_to === run.done_to &&
    current.run_to === run.run_to &&
    current.after_user === run.after_user;
  if (!isSame) return false;
  const byUser = new Map(reports.map((report) => [report.userId, report]));
  for (const user of await tx.allByKeys(recipients, [...byUser.keys()])) {
    const { statement, totals } = byUser.get(user.id)!;
    const { period, opening, closing } = statement;
    enqueueMail(tx, site, reportMail, {
      to: recipientOf(user),
      data(language) {
        const money = (amount: number) => formatMoney(site, language, amount);
        return {
          name: user.display_name,
          from: dayText(language, period.from),
          to: dayText(language, period.to),
          opening: money(opening),
          earned: money(totals.commission + totals.commission_removed),
          other: money(totals.bonus + totals.adjustment + totals.hand_over),
          paid: money(-totals.payout - totals.payout_returned),
          closing: money(closing),
          first_day: period.from,
          last_day: period.to,
        };
      },
      key: `${reportMail.name}:${user.id}:${run.interval}:${period.to}`,
      nowMs: site.clock(),
    });
  }
  await saveReportRun(tx, next);
  return true;
}
