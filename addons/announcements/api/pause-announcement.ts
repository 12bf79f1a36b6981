import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  pause,
  requireAnnouncement,
  wrongAnnouncementState,
} from '../announcements/change-state.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const pauseAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/{id}/pause',
  summary: 'Pause an announcement',
  description: 'Emails that are being sent still arrive; all others wait until it is resumed.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  response: AnnouncementSchema,
  example: { response: { state: 'paused', date_started: '2026-11-20T11:20:00' } },
  errors: [generalErrors.notFound, wrongAnnouncementState],
  async handle({ db, site }, { id }) {
    await pause(db, id);
    return toAnnouncement(await requireAnnouncement(db, id), site);
  },
});
