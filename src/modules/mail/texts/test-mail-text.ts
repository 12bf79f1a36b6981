import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { randomBase62 } from '../../../shared/secrets.ts';
import { enqueueMail } from '../enqueue-mail.ts';
import { usesLink } from '../mail.ts';
import { checkText, textFields } from './check-text.ts';
import { exampleDataOf } from './example-data.ts';
import { requireMail } from './get-mail-text.ts';
import { textParams } from './text-wire.ts';

const PER_NETWORK_AND_MINUTE = 10;

export const testMailText = operation({
  method: 'POST',
  namespace: 'store',
  path: '/mails/{name}/{language}/test',
  summary: 'Send a text of an email to yourself',
  description:
    'With example data, through the outbox like every email. The link leads to the sign-in page. At most ten in a ' +
    'minute.',
  access: 'admin',
  scope: 'manage',
  params: textParams,
  body: Type.Object(textFields, { $id: 'TestMailText' }),
  example: { body: { subject: 'We have your application', text: 'Hello,\n\n{{link}}' } },
  status: 202,
  response: Type.Object(
    { to: Type.String({ description: 'Your email address.' }) },
    { $id: 'MailTest', examples: [{ to: 'robin@example.com' }] },
  ),
  errors: [generalErrors.notFound, generalErrors.rateLimited],
  check: checkText,
  permit: async ({ site }, { name }) => requireMail(site, name),
  prepare: async (_input, { limits }, { network }) =>
    (await limits.take(`mail tests from ${network}`, PER_NETWORK_AND_MINUTE)).allowed,
  handle({ db, site, caller, nowMs, prepared: isAllowed }, { name, language, subject, text }) {
    if (!isAllowed) throw new ApiError(generalErrors.rateLimited);
    const { notice: _notice, ...mail } = requireMail(site, name);
    const { email, displayName } = caller.person!;
    enqueueMail(db, site, mail, {
      to: { address: email, name: displayName, language },
      data: exampleDataOf(site, mail, language),
      ...(usesLink(mail) && { link: `${site.publicUrl}/app/login` }),
      key: `test:${name}:${randomBase62(12)}`,
      nowMs,
      draft: { subject: `[Test] ${subject}`, text },
    });
    return { to: email };
  },
});
