import { generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { MailDefinition } from '../mail.ts';
import { findMailDefinition } from './check-text.ts';
import { findOwnText } from './text-rows.ts';
import { answerText } from './text-version.ts';
import { MailTextSchema, textParams } from './text-wire.ts';

export const getMailText = operation({
  method: 'GET',
  namespace: 'store',
  path: '/mails/{name}/{language}',
  summary: 'Get the text of an email in a language, with its placeholders',
  access: 'admin',
  scope: 'manage',
  params: textParams,
  response: MailTextSchema,
  headers: {
    ETag: 'Send it as If-Match with a change: 412 if another user has changed the text since.',
  },
  errors: [generalErrors.notFound],
  async handle({ db, site }, { name, language }) {
    const mail = requireMail(site, name);
    return answerText(site, mail, language, await findOwnText(db, { name, language }));
  },
});

export function requireMail(site: Site, name: string): MailDefinition {
  return requireFound(findMailDefinition(site, name));
}
