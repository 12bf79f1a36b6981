import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { requireMail } from './get-mail-text.ts';
import { noteTextChange, requireMayChange } from './note-text-change.ts';
import { findOwnText, lockOwnText, removeOwnText } from './text-rows.ts';
import { answerText, requireTextVersion } from './text-version.ts';
import { MailTextSchema, textParams, toMailText } from './text-wire.ts';

export const resetMailText = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/mails/{name}/{language}',
  summary: 'Return to the built-in text of an email in a language',
  description:
    'With If-Match, a change by another user since that version is answered with 412, and nothing is removed. For emails ' +
    'with a one-time link the rules of PUT hold.',
  access: 'admin',
  scope: 'manage',
  proof: 'sometimes',
  params: textParams,
  response: MailTextSchema,
  headers: { ETag: 'The version of the text after the change.' },
  example: { response: { is_own: false, changed: null } },
  errors: [generalErrors.notFound, generalErrors.changedMeanwhile],
  async handle({ db, site, caller, nowMs, request }, { name, language }) {
    const mail = requireMail(site, name);
    requireMayChange(mail, caller, nowMs);
    await lockOwnText(db, name, language);
    const before = await findOwnText(db, { name, language });
    if (before) {
      requireTextVersion(request.ifMatch, toMailText(site, mail, language, before));
      await removeOwnText(db, { name, language });
      await noteTextChange(db, site, { mail, language, isOwn: false, caller, nowMs });
    }
    return answerText(site, mail, language, undefined);
  },
});
