import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { listMessageRows } from '../message-rows.ts';
import { MessageSchema, toMessages } from '../message-wire.ts';
import { findThread } from '../thread-rows.ts';
import { emptyThread, otherSide, sideOf } from '../thread.ts';

export const listMessages = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/messages',
  summary: 'The messages between the team and an affiliate',
  description:
    'For admins and the affiliate itself, newest first. Reading them changes nothing: see ' +
    '`POST /affiliates/{id}/messages/read`.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    unread: Type.Optional(
      Type.Boolean({
        description: 'True: only what the other side wrote and the caller has not read.',
      }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(MessageSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id, unread = false, ...page }) {
    await requireOwnAffiliate(db, caller, id);
    const thread = (await findThread(db, { user_id: id })) ?? emptyThread(id);
    const reader = sideOf(caller, id);
    const total = unread ? thread[`${reader}_unread`] : thread.messages;
    const filter = {
      user_id: id,
      ...(unread && { side: otherSide(reader), after: thread[`${reader}_read_id`] }),
    };
    return collection(page, total, async (slice) =>
      toMessages(db, site, await listMessageRows(db, filter, slice), { thread, reader }),
    );
  },
});
