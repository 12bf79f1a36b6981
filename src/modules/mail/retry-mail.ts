import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findMail, retryFailed } from './outbox-rows.ts';
import { MailSchema, toMail } from './outbox-wire.ts';
import { requireReadableMail } from './readable-mails.ts';

export const mailNotFailed = defineError(
  'svc_api_mail_not_failed',
  409,
  'Only an email that has failed, or whose arrival is unknown, can be sent again.',
);

export const mailLinkErased = defineError(
  'svc_api_mail_link_erased',
  409,
  'The email contained a link that works only once. It was erased when the email failed; send a new link.',
);

const NOT_SENT: ReadonlySet<string> = new Set(['failed', 'unknown']);

export const retryMail = operation({
  method: 'POST',
  namespace: 'store',
  path: '/outbox/{id}/retry',
  summary: 'Send a failed email again',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The email.') }),
  response: MailSchema,
  example: {
    response: {
      state: 'pending',
      attempts: 0,
      last_error: 'The mail server did not answer.',
      date_sent: null,
    },
  },
  errors: [generalErrors.notFound, mailNotFailed, mailLinkErased],
  async handle({ db, site, caller, nowMs }, { id }) {
    await requireReadableMail(db, caller, id);
    const isDue = await retryFailed(db, { id, now: nowMs });
    const mail = (await findMail(db, { id }))!;
    if (!isDue) throw new ApiError(NOT_SENT.has(mail.state) ? mailLinkErased : mailNotFailed);
    return toMail(mail, site);
  },
});
