import Type from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { announcementList } from '../announcements/announcement-rows.ts';
import { announcementStates } from '../tables.ts';
import { AnnouncementSchema, toAnnouncement } from './announcement-wire.ts';

export const listAnnouncements = operation({
  method: 'GET',
  namespace: 'store',
  path: '/announcements',
  summary: 'List announcements',
  description: 'Newest first.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    state: Type.Optional(
      StringEnum(announcementStates, { description: 'Announcements in this state only.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(AnnouncementSchema),
  headers: pageHeaders,
  handle: ({ db, site }, { state, ...page }) =>
    listed(db, announcementList, { state }, page, (row) => toAnnouncement(row, site)),
});
