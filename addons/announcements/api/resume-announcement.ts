import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  resume,
  requireAnnouncement,
  wrongAnnouncementState,
} from '../announcements/change-state.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const resumeAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements/{id}/resume',
  summary: 'Resume an announcement',
  description: 'It goes on where it was paused.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  response: AnnouncementSchema,
  example: { response: { state: 'sending', date_started: '2026-11-20T11:20:00' } },
  errors: [generalErrors.notFound, wrongAnnouncementState],
  async handle({ db, site, nowMs }, { id }) {
    await resume(db, id, nowMs);
    return toAnnouncement(await requireAnnouncement(db, id), site);
  },
});
