import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { languages } from '../../../shared/languages.ts';
import { isForAdministrators, type MailDefinition, mails } from '../mail.ts';
import { checkText, findMailDefinition, textFields } from './check-text.ts';
import { textsOf } from './current-text.ts';
import { noteTextChange, requireMayChange } from './note-text-change.ts';
import { findOwnText, listOwnTexts, lockOwnText, removeOwnText, saveOwnText } from './text-rows.ts';
import { answerText, requireTextVersion } from './text-version.ts';
import {
  AdministratorsOnly,
  Change,
  MailTextSchema,
  renderExample,
  textParams,
  toChange,
  toMailText,
} from './text-wire.ts';

const MailNameSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the email.' }),
    about: Type.String({ description: 'When it is sent, and to whom.' }),
    administrators_only: AdministratorsOnly,
    texts: Type.Array(
      Type.Object({
        language: StringEnum(languages),
        subject: Type.String({ description: 'The subject as it is used now.' }),
        is_own: Type.Boolean({ description: 'True if the site has a text of its own.' }),
        changed: Change,
      }),
    ),
  },
  {
    $id: 'MailName',
    examples: [
      {
        name: 'registration-received',
        about: 'To an applicant after the application.',
        administrators_only: true,
        texts: [
          {
            language: 'en',
            subject: 'We received your application to {{site.name}}',
            is_own: false,
            changed: null,
          },
        ],
      },
    ],
  },
);

export const listMailTexts = operation({
  method: 'GET',
  namespace: 'store',
  path: '/mails',
  summary: 'List the emails that are sent, and which have own texts',
  description: 'By name. `GET /outbox` lists the emails that were sent.',
  access: 'admin',
  scope: 'manage',
  response: Type.Array(MailNameSchema),
  async handle({ db, site }) {
    const own = await listOwnTexts(db);
    const items = site.registry.contributions(mails).map((mail: MailDefinition) => ({
      name: mail.name,
      about: mail.about ?? '',
      administrators_only: isForAdministrators(mail),
      texts: languages.map((language) => {
        const text = own.find((row) => row.name === mail.name && row.language === language);
        return {
          language,
          subject: textsOf(site, mail, language, text).subject,
          is_own: text !== undefined,
          changed: toChange(site, text),
        };
      }),
    }));
    return items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  },
});

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
