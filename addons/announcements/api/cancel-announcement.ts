import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  cancel,
  requireAnnouncement,
  wrongAnnouncementState,
} from '../announcements/change-state.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const cancelAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/{id}/cancel',
  summary: 'Cancel an announcement',
  description:
    'Emails that were sent cannot be taken back; no other is sent, and the portal no longer shows it.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  response: AnnouncementSchema,
  example: { response: { state: 'cancelled', date_started: '2026-11-20T11:20:00' } },
  errors: [generalErrors.notFound, wrongAnnouncementState],
  async handle({ db, site, caller, nowMs }, { id }) {
    await cancel(db, id, { actorId: actorId(caller), nowMs });
    return toAnnouncement(await requireAnnouncement(db, id), site);
  },
});
