import type { Transaction } from '../../../src/db/database.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { refreshForRead } from '../../../src/modules/affiliates/index.ts';
import { findCouponsByUser } from '../../../src/modules/coupons/index.ts';
import { countToMany, enqueueMail } from '../../../src/modules/mail/index.ts';
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
import {
  endAnnouncement,
  findAnnouncement,
  listDue,
  listInState,
  lockAnnouncement,
  saveProgress,
  type AnnouncementRow,
} from './announcement-rows.ts';
import { startAnnouncement } from './change-state.ts';
import { insertReceivers, listAmong } from './receiver-rows.ts';
import { listNextMembers, type Member } from './segment-rows.ts';
import { filterOf, type Segment } from './segment.ts';

/** Members per transaction: writing the mails of so many takes a few milliseconds. */
const BATCH = 20;
/** More mails than this do not wait in the outbox: pausing and cancelling concern those that are not there yet. */
const WAITING_MAX = 500;
const AT_ONCE_MAX = 20;
const RUN_MS_MAX = 10_000;

/**
 * Starts announcements when they are due and adds their receivers in batches, with their mails. Receivers, mails and
 * the position are committed together, so that a crash neither skips nor repeats one.
 */
export const sendAnnouncements: Job = {
  name: 'announcements.send',
  everyMs: 1_000,
  runsOn: 'one',
  async run(site) {
    const { read, transaction } = site.database;
    for (const { id } of await listDue(read, { now: site.clock(), limit: AT_ONCE_MAX })) {
      await transaction((tx) => startAnnouncement(tx, id, 'scheduled', site.clock()));
    }
    const sending = await listInState(read, { state: 'sending', limit: AT_ONCE_MAX });
    if (sending.length === 0) return;
    await refreshForRead(read, site);
    const untilMs = performance.now() + RUN_MS_MAX;
    for (const { id } of sending) await advance(site, id, untilMs);
  },
};

async function advance(site: Site, id: number, untilMs: number): Promise<void> {
  const { transaction } = site.database;
  while (performance.now() < untilMs) {
    if (!(await hasRoomForMails(site))) return;
    if (!(await transaction((tx) => addReceivers(tx, site, id)))) break;
  }
  await transaction((tx) => endAnnouncement(tx, { id, now: site.clock() }));
}

export async function hasRoomForMails({ database }: Site): Promise<boolean> {
  return (await countToMany(database.read, { limit: WAITING_MAX })) < WAITING_MAX;
}

/** Returns whether there may be more. */
async function addReceivers(tx: Transaction, site: Site, id: number): Promise<boolean> {
  await lockAnnouncement(tx, id);
  const row = await findAnnouncement(tx, { id });
  if (row?.state !== 'sending' || row.position === null) return false;
  // It was checked when it was stored.
  const filter = filterOf(site, JSON.parse(row.segment) as Segment);
  const members = await listNextMembers(tx, { ...filter, after: row.position, limit: BATCH });
  const ids = members.map((member) => member.id);
  const known = await listAmong(tx, { announcement_id: id, ids: jsonList(ids) });
  const isKnown = new Set(known.map(({ user_id }) => user_id));
  const added = members.filter((member) => !isKnown.has(member.id));
  const nowMs = site.clock();
  const rows = added.map((member) => receiverOf(row, member, nowMs));
  const count = (state: string) => rows.filter((one) => one.state === state).length;
  await saveProgress(tx, {
    id,
    from: row.position,
    position: members.length < BATCH ? null : ids.at(-1)!,
    receivers: rows.length,
    queued: count('queued'),
    failed: count('failed'),
    muted: count('muted'),
  });
  await insertReceivers(tx, rows);
  const queued = new Set(rows.filter(({ state }) => state === 'queued').map((one) => one.user_id));
  await writeMails(
    tx,
    site,
    row,
    added.filter((member) => queued.has(member.id)),
    nowMs,
  );
  return members.length === BATCH;
}

const NO_ADDRESS = 'This is not a valid email address.';

export function receiverOf(
  { id, by_mail }: Pick<AnnouncementRow, 'id' | 'by_mail'>,
  member: Member,
  nowMs: number,
) {
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

export async function writeMails(
  tx: Transaction,
  site: Site,
  row: Pick<AnnouncementRow, 'id' | 'texts'>,
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
