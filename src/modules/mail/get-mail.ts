import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { MailSchema, toMail } from './outbox-wire.ts';
import { requireReadableMail } from './readable-mails.ts';

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
