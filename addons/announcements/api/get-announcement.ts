import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireAnnouncement } from '../announcements/change-state.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const getAnnouncement = operation({
  method: 'GET',
  namespace: 'store',
  path: '/announcements/{id}',
  summary: 'Get an announcement with its figures',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The announcement.') }),
  response: AnnouncementSchema,
  errors: [generalErrors.notFound],
  handle: async ({ db, site }, { id }) => toAnnouncement(await requireAnnouncement(db, id), site),
});
