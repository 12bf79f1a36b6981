import type { Transaction } from '../../../src/db/database.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { enqueueMail } from '../../../src/modules/mail/index.ts';
import { recipientOf } from '../../../src/modules/users/index.ts';
import { isEmailAddress } from '../../../src/shared/email-address.ts';
import {
  announcementMail,
  announcementNotice,
  dataOf,
  keyOf,
  sourceOf,
  textFor,
  type Texts,
} from './announcement-mail.ts';
import { addReceived, type AnnouncementRow } from './announcement-rows.ts';
import { insertReceivers, listAmong } from './receiver-rows.ts';
import type { Member } from './segment-rows.ts';

/** Makes those of some people receivers who are not, with their mails: each person gets it once. */
export async function deliver(
  tx: Transaction,
  site: Site,
  row: AnnouncementRow,
  people: readonly Member[],
): Promise<void> {
  const { id } = row;
  const known = await listAmong(tx, {
    announcement_id: id,
    ids: jsonList(people.map((person) => person.id)),
  });
  const isKnown = new Set(known.map(({ user_id }) => user_id));
  const added = people.filter((person) => !isKnown.has(person.id));
  const nowMs = site.clock();
  const rows = added.map((person) => receiverOf(row, person, nowMs));
  const count = (state: string) => rows.filter((one) => one.state === state).length;
  await addReceived(tx, {
    id,
    receivers: rows.length,
    queued: count('queued'),
    failed: count('failed'),
    muted: count('muted'),
  });
  await insertReceivers(tx, rows);
  const mailed = added.filter((_, i) => rows[i]!.state === 'queued');
  await writeMails(tx, site, row, mailed, nowMs);
}

const NO_ADDRESS = 'This is not a valid email address.';

function receiverOf({ id, by_mail }: AnnouncementRow, member: Member, nowMs: number) {
  const receiver = { announcement_id: id, user_id: member.id, error: '', updated_at: nowMs };
  if (by_mail === 0) return { ...receiver, state: 'shown' as const };
  if (isMuted(member)) return { ...receiver, state: 'muted' as const };
  if (!isEmailAddress(member.email)) {
    return { ...receiver, state: 'failed' as const, error: NO_ADDRESS };
  }
  return { ...receiver, state: 'queued' as const };
}

export function isMuted({ muted_notices }: Pick<Member, 'muted_notices'>): boolean {
  return muted_notices.split(',').includes(announcementNotice.name);
}

async function writeMails(
  tx: Transaction,
  site: Site,
  row: AnnouncementRow,
  members: readonly Member[],
  nowMs: number,
): Promise<void> {
  if (members.length === 0) return;
  const coupons = await findCouponsByUser(
    tx,
    members.map(({ id }) => id),
  );
  const codes = new Map(coupons.toReversed().map(({ user_id, code }) => [user_id, code]));
  // It was checked when it was stored.
  const texts = JSON.parse(row.texts) as Texts;
  for (const member of members) {
    const { language, subject, text } = textFor(site, texts, member.language);
    enqueueMail(tx, site, announcementMail, {
      to: { ...recipientOf(member), language, name: member.display_name },
      data: dataOf(site, member.display_name, codes.get(member.id)),
      key: keyOf(row.id, member.id),
      toMany: { userId: member.id, source: sourceOf(row.id) },
      draft: { subject, text },
      nowMs,
    });
  }
}
