import Type, { type Static } from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import { defineEvent } from '../../../src/kernel/declare/event.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { announcementStates } from '../tables.ts';
import type { AnnouncementRow } from './announcement-rows.ts';

const Data = Type.Object({
  announcement_id: Type.Integer({ description: 'The announcement.' }),
  state: StringEnum(announcementStates, { description: 'Its state now.' }),
});

const define = (
  name: `announcement.${string}`,
  summary: string,
  id: number,
  data: Static<typeof Data>,
) =>
  defineEvent(
    name,
    summary,
    Data,
    { id, timestamp: `2026-11-20T11:20:0${id - 180}.402Z`, data },
    'announcement',
  );

export const announcementStarted = define(
  'announcement.started',
  'An announcement is being sent.',
  180,
  { announcement_id: 4, state: 'sending' },
);
export const announcementCancelled = define(
  'announcement.cancelled',
  'An announcement was cancelled.',
  181,
  { announcement_id: 4, state: 'cancelled' },
);

export function emitAnnouncement(
  tx: Transaction,
  event: typeof announcementStarted,
  { id, state }: Pick<AnnouncementRow, 'id' | 'state'>,
  { actorId, nowMs }: { readonly actorId: number; readonly nowMs: number },
): void {
  emit(tx, event, {
    objectId: id,
    userId: actorId,
    info: `Announcement ${id} is ${state}.`,
    data: { announcement_id: id, state },
    nowMs,
  });
}
