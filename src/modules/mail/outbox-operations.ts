import Type from 'typebox';
import { jsonList } from '../../db/statements/rows-query.ts';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { countMails, findMail, listMailRows, retryFailed } from './outbox-rows.ts';
import { MailSchema, toMail } from './outbox-wire.ts';
import { requireReadableMail, unreadableAddresses } from './readable-mails.ts';
import { mailStates } from './tables.ts';

export const listOutbox = operation({
  method: 'GET',
  namespace: 'store',
  path: '/outbox',
  summary: 'List emails in the outbox',
  description:
    'Lists sent and unsent emails, newest first. Sent emails are removed after 30 days. Managers do not see emails to ' +
    'administrators.',
  access: 'admin',
  scope: 'manage',
  query: Type.Object({
    state: Type.Optional(StringEnum(mailStates, { description: 'Only emails in this state.' })),
    template: Type.Optional(
      Type.String({ maxLength: 80, description: 'Only emails of this name, see `GET /mails`.' }),
    ),
    to: Type.Optional(
      Type.String({ maxLength: 254, description: 'Only emails to exactly this address.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(MailSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    const unreadable = await unreadableAddresses(db, caller);
    const filter = {
      state: input.state,
      template: input.template,
      to: input.to?.trim(),
      except: unreadable.length > 0 ? jsonList(unreadable) : undefined,
    };
    return collection(input, await countMails(db, filter), async (slice) =>
      (await listMailRows(db, filter, slice)).map((row) => toMail(row, site)),
    );
  },
});

const MailWithHtmlSchema = Type.Object(
  {
    ...MailSchema.properties,
    html: Type.String({
      description:
        'The HTML part. A link that works once is shown as https://one-time-link.invalid/.',
    }),
  },
  {
    $id: 'MailWithHtml',
    examples: [{ html: '<!doctype html><html lang="en"><body>…</body></html>' }],
  },
);

export const getMail = operation({
  method: 'GET',
  namespace: 'store',
  path: '/outbox/{id}',
  summary: 'Get an email of the outbox',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The email.') }),
  response: MailWithHtmlSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const mail = await requireReadableMail(db, caller, id);
    return { ...toMail(mail, site), html: mail.html };
  },
});

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
