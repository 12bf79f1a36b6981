import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { countNews, markNewsRead } from '../announcements/receiver-rows.ts';

export const markAnnouncementsRead = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/announcements/read',
  summary: 'Mark announcements as read',
  description: 'For the affiliate itself.',
  access: 'owner',
  scope: 'write',
  whileSuspended: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    { announcement_id: Id('The announcement that was read, with all that have a smaller id.') },
    { $id: 'MarkAnnouncementsRead' },
  ),
  example: { body: { announcement_id: 4 } },
  response: Type.Object(
    { unread: Type.Integer({ description: 'Announcements that are still unread.' }) },
    { $id: 'UnreadAnnouncements', additionalProperties: false, examples: [{ unread: 0 }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, caller, nowMs }, { id, announcement_id }) {
    if (caller.person?.id !== id) throw new ApiError(generalErrors.notFound);
    await markNewsRead(db, { user_id: id, up_to: announcement_id, now: nowMs });
    return { unread: await countNews(db, { user_id: id, unread: true }) };
  },
});
