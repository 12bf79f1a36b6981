import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { saveDraft } from '../announcements/announcement-rows.ts';
import { lockInState, wrongAnnouncementState } from '../announcements/change-state.ts';
import {
  AnnouncementSchema,
  checkTexts,
  columnsOf,
  draftFields,
  toAnnouncement,
} from './announcement-wire.ts';

export const changeAnnouncement = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/announcements/{id}',
  summary: 'Change a draft of an announcement',
  description: 'What is given replaces what there was.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  body: Type.Object(
    { ...draftFields, texts: Type.Optional(draftFields.texts) },
    { $id: 'ChangeAnnouncement' },
  ),
  example: { body: { segment: { groups: ['Gold'] } } },
  response: AnnouncementSchema,
  errors: [generalErrors.notFound, wrongAnnouncementState],
  check: checkTexts,
  async handle({ db, site }, { id, ...draft }) {
    const before = await lockInState(db, id, ['draft']);
    const after = { ...before, ...columnsOf(site, draft) };
    const { texts, segment, by_mail, in_portal, send_at } = after;
    await saveDraft(db, { id, texts, segment, by_mail, in_portal, send_at });
    return toAnnouncement(after, site);
  },
});
