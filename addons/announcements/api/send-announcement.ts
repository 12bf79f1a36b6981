import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  lockInState,
  requireAnnouncement,
  schedule,
  startAnnouncement,
  wrongAnnouncementState,
} from '../announcements/change-state.ts';
import { countMembers } from '../announcements/segment-rows.ts';
import { filterOf, type Segment } from '../announcements/segment.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const receiversChanged = defineError(
  'svc_api_receivers_changed',
  409,
  'The number of receivers has changed. Look at them again.',
);

export const sendAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/{id}/send',
  summary: 'Send an announcement',
  description:
    'Now, or at the time of `send_at`. Its receivers are those in the segment at that moment; emails leave at the pace ' +
    'of the mail server, at most one to each person.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  body: Type.Object(
    {
      receivers: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'How many receivers you have seen: with another number now, nothing is sent.',
        }),
      ),
    },
    { $id: 'SendAnnouncement' },
  ),
  example: {
    body: { receivers: 12 },
    response: { state: 'sending', date_started: '2026-11-20T11:20:00' },
  },
  response: AnnouncementSchema,
  errors: [generalErrors.notFound, wrongAnnouncementState, receiversChanged],
  async handle({ db, site, caller, nowMs }, { id, receivers }) {
    const row = await lockInState(db, id, ['draft']);
    if (receivers !== undefined) {
      // It was checked when it was stored.
      const filter = filterOf(site, JSON.parse(row.segment) as Segment);
      if ((await countMembers(db, filter)) !== receivers) throw new ApiError(receiversChanged);
    }
    if (row.send_at !== null && row.send_at > nowMs) await schedule(db, row);
    else await startAnnouncement(db, id, 'draft', nowMs, actorId(caller));
    return toAnnouncement(await requireAnnouncement(db, id), site);
  },
});
