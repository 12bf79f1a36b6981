import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { checkText, textFields } from './check-text.ts';
import { requireMail } from './get-mail-text.ts';
import { renderExample, textParams } from './text-wire.ts';

const PER_NETWORK_AND_MINUTE = 120;

export const previewMailText = operation({
  method: 'POST',
  namespace: 'store',
  path: '/mails/{name}/{language}/preview',
  summary: 'Show a text of an email with example data',
  description: 'Stores and sends nothing. At most 120 in a minute.',
  access: 'admin',
  scope: 'manage',
  params: textParams,
  body: Type.Object(textFields, { $id: 'PreviewMailText' }),
  example: { body: { subject: 'Your payout is paid', text: 'Hello,\n\nthe money is on its way.' } },
  response: Type.Object(
    {
      subject: Type.String(),
      text: Type.String({ description: 'The plain text part.' }),
      html: Type.String({
        description: 'The HTML part. It contains no scripts; show it in a sandboxed frame.',
      }),
    },
    {
      $id: 'MailPreview',
      examples: [
        {
          subject: 'Your payout is paid',
          text: 'Hello,\n\nthe money is on its way.',
          html: '<!doctype html><html lang="en"><body>…</body></html>',
        },
      ],
    },
  ),
  errors: [generalErrors.notFound, generalErrors.rateLimited],
  check: checkText,
  permit: async ({ site }, { name }) => requireMail(site, name),
  prepare: async (_input, { limits }, { network }) =>
    (await limits.take(`mail previews from ${network}`, PER_NETWORK_AND_MINUTE)).allowed,
  handle({ site, prepared: isAllowed }, { name, language, subject, text }) {
    if (!isAllowed) throw new ApiError(generalErrors.rateLimited);
    return renderExample(site, requireMail(site, name), language, { subject, text });
  },
});
