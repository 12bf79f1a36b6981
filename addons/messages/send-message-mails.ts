import type { Transaction } from '../../src/db/database.ts';
import type { Job } from '../../src/kernel/declare/job.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { enqueueMail } from '../../src/modules/mail/index.ts';
import { findUser, listTeam, recipientOf, type UserRow } from '../../src/modules/users/index.ts';
import { toAffiliateMail, toTeamMail } from './message-mails.ts';
import { sides, type Side, type ThreadRow } from './tables.ts';
import { listDue, lockThread, saveThread } from './thread-rows.ts';
import { afterMail } from './thread.ts';

const AT_ONCE = 50;

/** Sends the mails about messages that were not read in time. Each is committed with the time of the next one. */
export const sendMessageMails: Job = {
  name: 'messages.send-mails',
  everyMs: 20_000,
  runsOn: 'one',
  async run(site) {
    const { read, transaction } = site.database;
    for (const side of sides) {
      for (;;) {
        const due = await listDue[side](read, { now: site.clock(), limit: AT_ONCE });
        for (const { user_id } of due) await transaction((tx) => mail(tx, site, user_id, side));
        if (due.length < AT_ONCE) break;
      }
    }
  },
};

async function mail(tx: Transaction, site: Site, userId: number, side: Side): Promise<void> {
  const nowMs = site.clock();
  const thread = await lockThread(tx, userId);
  const due = thread[`${side}_mail_at`];
  const affiliate = await findUser(tx, userId);
  // It was read a moment ago.
  if (due === null || due > nowMs || !affiliate) return;
  await saveThread(tx, afterMail(thread, side, nowMs));
  if (side === 'team') await mailTeam(tx, site, affiliate, thread);
  else mailAffiliate(tx, site, affiliate, thread);
}

const sizeOf = (count: number) => ({ count, several: count > 1 });

function mailAffiliate(tx: Transaction, site: Site, user: UserRow, thread: ThreadRow): void {
  enqueueMail(tx, site, toAffiliateMail, {
    to: recipientOf(user),
    data: { name: user.display_name, ...sizeOf(thread.affiliate_unread) },
    // The newest message: there is no second mail about it.
    key: `${toAffiliateMail.name}:${thread.last_id}`,
    nowMs: site.clock(),
  });
}

async function mailTeam(
  tx: Transaction,
  site: Site,
  { id, display_name }: UserRow,
  thread: ThreadRow,
): Promise<void> {
  for (const member of await listTeam(tx)) {
    enqueueMail(tx, site, toTeamMail, {
      to: recipientOf(member),
      data: { name: display_name, affiliate_id: id, ...sizeOf(thread.team_unread) },
      key: `${toTeamMail.name}:${thread.last_id}:${member.id}`,
      nowMs: site.clock(),
    });
  }
}
