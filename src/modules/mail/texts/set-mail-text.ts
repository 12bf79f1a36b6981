import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { checkText, textFields } from './check-text.ts';
import { requireMail } from './get-mail-text.ts';
import { noteTextChange, requireMayChange } from './note-text-change.ts';
import { findOwnText, lockOwnText, saveOwnText } from './text-rows.ts';
import { answerText, requireTextVersion } from './text-version.ts';
import { MailTextSchema, textParams, toMailText } from './text-wire.ts';

export const setMailText = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/mails/{name}/{language}',
  summary: 'Store an own text of an email in a language',
  description:
    'Emails that are created afterwards use it, on every instance. An unknown placeholder is refused, and so is a text ' +
    'without a required one, such as the link of an invitation. With If-Match, a change by another user since that ' +
    'version is answered with 412, and nothing is stored. The text of an email with a one-time link is for administrators, ' +
    'with {{link}} exactly once and alone on its line; a session asks for a recent proof, and all administrators are ' +
    'notified by email.',
  access: 'admin',
  scope: 'manage',
  proof: 'sometimes',
  params: textParams,
  body: Type.Object(textFields, { $id: 'SetMailText' }),
  example: {
    body: { subject: 'We have your application', text: 'Hello,\n\nthank you!\n\n{{link}}' },
  },
  response: MailTextSchema,
  headers: { ETag: 'The version of the text after the change.' },
  errors: [generalErrors.notFound, generalErrors.changedMeanwhile],
  check: checkText,
  async handle({ db, site, caller, nowMs, request }, { name, language, subject, text }) {
    const mail = requireMail(site, name);
    requireMayChange(mail, caller, nowMs);
    await lockOwnText(db, name, language);
    const before = await findOwnText(db, { name, language });
    // Also when a change is sent again because its first response was lost.
    if (before?.subject === subject && before.text === text) {
      return answerText(site, mail, language, before);
    }
    requireTextVersion(request.ifMatch, toMailText(site, mail, language, before));
    const userId = actorId(caller);
    const row = { name, language, subject, text, updated_at: nowMs, updated_by: userId };
    await saveOwnText(db, row);
    await noteTextChange(db, site, { mail, language, isOwn: true, caller, nowMs });
    const updated_by_name = caller.person?.displayName ?? '';
    return answerText(site, mail, language, { ...row, updated_by_name });
  },
});
