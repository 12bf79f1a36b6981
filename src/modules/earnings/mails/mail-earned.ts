import type { Transaction } from '../../../db/database.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { dateText } from '../../../shared/formats.ts';
import type { Language } from '../../../shared/languages.ts';
import { listOwners } from '../../coupons/index.ts';
import { enqueueMail, formatMoney } from '../../mail/index.ts';
import { recipientOf } from '../../users/index.ts';
import { earnedMail, earnedMails } from './earned-mail.ts';
import {
  findRun,
  limitRun,
  listEarned,
  recipients,
  removeRun,
  saveRun,
  type EarnedRun,
} from './earned-rows.ts';

/** The hour of the site's clock from which on the mails of a day are sent. */
const HOUR = 8;
/** Entries get their time before they are committed, so the latest ones are left to the next mail. */
const COMMITTED_AFTER_MS = 10 * 60_000;
/** Affiliates per transaction. */
const AT_ONCE_MAX = 200;

/**
 * Sends affiliates a mail about what they earned, once a day. The mails and how far the run has come are committed
 * together, so a crash neither skips nor repeats one, and nothing is done while orders come in.
 */
export const mailEarned: Job = {
  name: 'earnings.mail-earned',
  everyMs: 5 * 60_000,
  runsOn: 'one',
  async run(site) {
    if (!isToDo(site, await findRun(site.database.read))) return;
    while (await site.database.transaction((tx) => mailSome(tx, site)));
  },
};

function isToDo(site: Site, run: EarnedRun | undefined): boolean {
  const isOn = site.settings.get(earnedMails);
  return run === undefined || !isOn ? (run !== undefined) !== isOn : isDue(site, run);
}

function isDue({ calendar, clock }: Site, { since, until }: EarnedRun): boolean {
  if (until !== null) return true;
  const now = calendar.toLocal(clock());
  return now.slice(0, 10) > calendar.dayOf(since) && Number(now.slice(11, 13)) >= HOUR;
}

/** Mails to some affiliates; returns whether there are more. */
async function mailSome(tx: Transaction, site: Site): Promise<boolean> {
  await tx.lock('earned mails');
  const run = await findRun(tx);
  // Another instance may have done it.
  if (!isToDo(site, run)) return false;
  const now = site.clock();
  if (!run || !site.settings.get(earnedMails)) {
    if (run) await removeRun(tx);
    else await saveRun(tx, { started_at: now, since: now, until: null, after_user: 0 });
    return false;
  }
  const until = run.until ?? Math.max(run.since, now - COMMITTED_AFTER_MS);
  const owners = await listOwners(tx, { after: run.after_user, limit: AT_ONCE_MAX });
  const last = owners.at(-1)?.user_id;
  if (last !== undefined) await mailTo(tx, site, { ...run, until, to: last });
  const isOver = owners.length < AT_ONCE_MAX;
  await saveRun(
    tx,
    isOver
      ? { ...run, since: until, until: null, after_user: 0 }
      : { ...run, until, after_user: last! },
  );
  return !isOver;
}

async function mailTo(
  tx: Transaction,
  site: Site,
  { after_user: after, ...range }: EarnedRun & { until: number; to: number },
): Promise<void> {
  const earners = await listEarned(tx, { after, ...range });
  const sums = new Map(earners.map(({ user_id, earned }) => [user_id, earned]));
  const { currency } = site;
  for (const user of await tx.allByKeys(recipients, [...sums.keys()])) {
    const earned = sums.get(user.id)!;
    enqueueMail(tx, site, earnedMail, {
      to: recipientOf(user),
      data: (language) => ({
        name: user.display_name,
        money: formatMoney(site, language, earned),
        amount: currency.toMajor(earned).toFixed(currency.decimals),
        currency: currency.code,
        balance: formatMoney(site, language, user.balance),
        since: dayIn(site, language, range.since),
      }),
      key: `${earnedMail.name}:${user.id}:${range.until}`,
      nowMs: site.clock(),
    });
  }
}

function dayIn({ calendar: { timeZone } }: Site, language: Language, instantMs: number): string {
  return dateText(language, instantMs, { dateStyle: 'long', timeZone });
}

export async function correctEarnedRun({ database }: Site, now: number): Promise<void> {
  await database.transaction((tx) => limitRun(tx, { now }));
}
