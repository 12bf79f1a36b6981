import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { emit } from '../../events/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import { toApplicant } from '../decision.ts';
import { messageMail } from '../mails.ts';
import { applicantMessaged } from '../registration-events.ts';
import { findRegistration } from '../registration-rows.ts';
import { statusUrlOf } from '../status-token.ts';
import { saveMessage } from './application-rows.ts';
import { MessageSchema, toMessage } from './message-wire.ts';

const PER_APPLICATION_AND_MINUTE = 5;

export const messageApplicant = operation({
  method: 'POST',
  namespace: 'store',
  path: '/registrations/{id}/messages',
  summary: 'Send a message to an applicant',
  description:
    'By email, with the address of the store for the reply (setting `mail.reply_to`). The message is stored with ' +
    'its author. At most five in a minute for one application.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The application.') }),
  body: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: 5000,
        pattern: '\\S',
        description: 'Plain text. An empty line begins a paragraph.',
      }),
    },
    { $id: 'MessageApplicant' },
  ),
  example: { body: { text: 'Which of your channels would you use?' } },
  status: 201,
  response: MessageSchema,
  errors: [generalErrors.notFound, generalErrors.rateLimited],
  permit: async ({ db }, { id }) => requireFound(await findRegistration(db, id)),
  prepare: async ({ id }, { limits }) =>
    (await limits.take(`messages to application ${id}`, PER_APPLICATION_AND_MINUTE)).allowed,
  async handle({ db, site, caller, nowMs, prepared: isAllowed }, { id, text }) {
    const row = requireFound(await findRegistration(db, id));
    if (!isAllowed) throw new ApiError(generalErrors.rateLimited);
    const author_id = actorId(caller);
    const message = { registration_id: id, author_id, text, created_at: nowMs };
    const messageId = await saveMessage(db, message);
    const link = statusUrlOf(site, id);
    enqueueMail(db, site, messageMail, {
      to: toApplicant(row, caller),
      data: { name: row.display_name, message: text },
      ...(link !== '' && { link }),
      key: `${messageMail.name}:${messageId}`,
      nowMs,
    });
    emit(db, applicantMessaged, {
      objectId: id,
      userId: author_id,
      info: `Message sent to the applicant ${row.user_id}.`,
      data: { registration_id: id, user_id: row.user_id, message_id: messageId },
      nowMs,
    });
    const author = caller.person?.displayName ?? '';
    return toMessage({ id: messageId, ...message, author }, site);
  },
});
