import type { Transaction } from '../../../src/db/database.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { refreshForRead } from '../../../src/modules/affiliates/index.ts';
import { countToMany } from '../../../src/modules/mail/index.ts';
import {
  endAnnouncement,
  findAnnouncement,
  listDue,
  listInState,
  lockAnnouncement,
  savePosition,
} from './announcement-rows.ts';
import { startAnnouncement } from './change-state.ts';
import { deliver } from './deliver.ts';
import { listNextMembers } from './segment-rows.ts';
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
  const position = members.length < BATCH ? null : members.at(-1)!.id;
  await savePosition(tx, { id, from: row.position, position });
  await deliver(tx, site, row, members);
  return members.length === BATCH;
}
