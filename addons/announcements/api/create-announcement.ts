import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { insertAnnouncement } from '../announcements/announcement-rows.ts';
import {
  AnnouncementSchema,
  checkTexts,
  columnsOf,
  draftExample,
  draftFields,
  toAnnouncement,
} from './announcement-wire.ts';

export const createAnnouncement = operation({
  method: 'POST',
  namespace: 'store',
  path: '/announcements',
  summary: 'Write an announcement',
  description: 'It is a draft: no person gets it before `POST /announcements/{id}/send`.',
  access: 'admin',
  scope: 'write',
  body: Type.Object(draftFields, { $id: 'CreateAnnouncement' }),
  example: { body: draftExample },
  status: 201,
  response: AnnouncementSchema,
  check: checkTexts,
  async handle({ db, site, caller, nowMs }, { segment = {}, ...draft }) {
    const row = await insertAnnouncement(db, {
      state: 'draft',
      texts: '{}',
      by_mail: 1,
      in_portal: 1,
      send_at: null,
      created_at: nowMs,
      created_by: actorId(caller),
      started_at: null,
      ended_at: null,
      position: 0,
      segment: '{}',
      ...columnsOf(site, { segment, ...draft }),
    });
    return toAnnouncement(row, site);
  },
});
