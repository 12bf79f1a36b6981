import type { Transaction } from '../../../src/db/database.ts';
import { ApiError, defineError, requireFound } from '../../../src/kernel/declare/errors.ts';
import { holdMails, releaseMails, withdrawMails } from '../../../src/modules/mail/index.ts';
import type { AnnouncementState } from '../tables.ts';
import {
  announcementCancelled,
  announcementStarted,
  emitAnnouncement,
} from './announcement-events.ts';
import { idsInKey, keyOf } from './announcement-mail.ts';
import {
  addCounts,
  findAnnouncement,
  lockAnnouncement,
  saveState,
  type AnnouncementRow,
} from './announcement-rows.ts';
import { cancelReceivers, listQueued } from './receiver-rows.ts';

export const wrongAnnouncementState = defineError(
  'svc_api_announcement_state',
  409,
  'This is not possible in the current state of the announcement.',
);

export async function requireAnnouncement(
  db: Parameters<typeof findAnnouncement>[0],
  id: number,
): Promise<AnnouncementRow> {
  return requireFound(await findAnnouncement(db, { id }));
}

/** Locks an announcement and refuses one in another state. */
export async function lockInState(
  tx: Transaction,
  id: number,
  states: readonly AnnouncementState[],
): Promise<AnnouncementRow> {
  await lockAnnouncement(tx, id);
  const row = await requireAnnouncement(tx, id);
  if (!states.includes(row.state)) throw new ApiError(wrongAnnouncementState);
  return row;
}

async function moveTo(
  tx: Transaction,
  row: AnnouncementRow,
  state: AnnouncementState,
  changed: Partial<Pick<AnnouncementRow, 'started_at' | 'ended_at'>> = {},
): Promise<void> {
  const { id, started_at, ended_at } = row;
  await saveState(tx, { id, from: row.state, state, started_at, ended_at, ...changed });
}

/** Does nothing if another process was faster. */
export async function startAnnouncement(
  tx: Transaction,
  id: number,
  from: 'draft' | 'scheduled',
  nowMs: number,
  actorId = 0,
): Promise<void> {
  await lockAnnouncement(tx, id);
  const row = await findAnnouncement(tx, { id });
  if (row?.state !== from) return;
  await moveTo(tx, row, 'sending', { started_at: nowMs });
  emitAnnouncement(tx, announcementStarted, { ...row, state: 'sending' }, { actorId, nowMs });
}

export async function schedule(tx: Transaction, row: AnnouncementRow): Promise<void> {
  await moveTo(tx, row, 'scheduled');
}

/** Mails that wait stay unsent; those that are being sent arrive. */
export async function pause(tx: Transaction, id: number): Promise<void> {
  const row = await lockInState(tx, id, ['sending']);
  await holdMails(tx, await queuedKeys(tx, id));
  await moveTo(tx, row, 'paused');
}

export async function resume(tx: Transaction, id: number, nowMs: number): Promise<void> {
  const row = await lockInState(tx, id, ['paused']);
  await releaseMails(tx, await queuedKeys(tx, id), nowMs);
  await moveTo(tx, row, 'sending');
}

/** Whatever is not sent and not being sent is withdrawn. */
export async function cancel(
  tx: Transaction,
  id: number,
  { actorId, nowMs }: { readonly actorId: number; readonly nowMs: number },
): Promise<void> {
  const row = await lockInState(tx, id, ['scheduled', 'sending', 'paused']);
  const withdrawn = await withdrawMails(tx, await queuedKeys(tx, id));
  const people = withdrawn.map((key) => idsInKey(key)!.userId);
  await cancelReceivers(tx, id, people, nowMs);
  await addCounts(tx, { id, queued: -people.length, sent: 0, failed: 0, unknown: 0 });
  await moveTo(tx, row, 'cancelled', { ended_at: nowMs });
  emitAnnouncement(tx, announcementCancelled, { ...row, state: 'cancelled' }, { actorId, nowMs });
}

async function queuedKeys(tx: Transaction, id: number): Promise<string[]> {
  return (await listQueued(tx, id)).map((userId) => keyOf(id, userId));
}
