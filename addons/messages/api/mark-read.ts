import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { countAfter } from '../message-rows.ts';
import { lockThread, saveThread } from '../thread-rows.ts';
import { afterReading, otherSide, sideOf } from '../thread.ts';

export const markRead = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/messages/read',
  summary: 'Mark messages as read',
  description:
    'By the affiliate itself, or by an admin for the team: what one member has read, the team has read.',
  access: 'owner',
  scope: 'write',
  whileSuspended: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    { message_id: Id('The newest message that was read, with all before it.') },
    { $id: 'MarkRead' },
  ),
  example: { body: { message_id: 31 } },
  response: Type.Object(
    { unread: Type.Integer({ description: 'Messages that are still unread.' }) },
    { $id: 'UnreadMessages', additionalProperties: false, examples: [{ unread: 0 }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id, message_id }) {
    await requireOwnAffiliate(db, caller, id);
    const side = sideOf(caller, id);
    const thread = await lockThread(db, id);
    const upTo = Math.min(message_id, thread.last_id);
    if (upTo <= thread[`${side}_read_id`]) return { unread: thread[`${side}_unread`] };
    const unread = await countAfter(db, { user_id: id, side: otherSide(side), after: upTo });
    await saveThread(db, afterReading(thread, side, { id: upTo, unread }));
    return { unread };
  },
});
