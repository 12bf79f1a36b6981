import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { removeDraft } from '../announcements/announcement-rows.ts';
import { lockInState, wrongAnnouncementState } from '../announcements/change-state.ts';

export const deleteAnnouncement = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/announcements/{id}',
  summary: 'Delete a draft of an announcement',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The announcement.') }),
  response: Type.Object(
    { deleted: Type.Boolean() },
    { $id: 'DeletedAnnouncement', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound, wrongAnnouncementState],
  async handle({ db }, { id }) {
    await lockInState(db, id, ['draft']);
    await removeDraft(db, { id });
    return { deleted: true };
  },
});
