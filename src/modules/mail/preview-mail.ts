import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireReadableMail } from './readable-mails.ts';

/**
 * Mails need inline styles. Everything else is forbidden: `sandbox` gives the page an origin of its own, without
 * scripts, forms and the session of the reader. Only pages of this site may show it in a frame.
 */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox";

export const previewMail = operation({
  method: 'GET',
  namespace: 'store',
  path: '/outbox/{id}/preview',
  summary: 'Show an email as its recipient sees it',
  description: 'The HTML part, without a link that works once.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The email.') }),
  contentType: 'text/html',
  response: Type.String(),
  example: { response: '<!doctype html><html lang="en"><body>…</body></html>' },
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id }) {
    const mail = await requireReadableMail(db, caller, id);
    return new HttpResponse(mail.html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'X-Frame-Options': 'SAMEORIGIN',
        'Cache-Control': 'no-store',
      },
    });
  },
});
