import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { languages, type Language } from '../../../shared/languages.ts';
import { isForAdministrators, usesLink, type MailDefinition, type MailTexts } from '../mail.ts';
import { COMMON_NAMES, renderMail, type RenderedMail } from '../render-mail.ts';
import { errorOfStored, requiredIn } from './check-text.ts';
import { textsOf } from './current-text.ts';
import { exampleDataOf } from './example-data.ts';
import type { OwnText } from './text-rows.ts';

export const textParams = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9-]{1,80}$', description: 'The name of the email.' }),
  language: StringEnum(languages, { description: 'The language of the text.' }),
});

export const Change = Nullable(
  Type.Object(
    {
      date: LocalTime('When the own text was stored.'),
      user: Type.Object({ id: Type.Integer(), display_name: Type.String() }),
    },
    { description: 'Null while the email has no own text in this language.' },
  ),
);

export const AdministratorsOnly = Type.Boolean({
  description:
    'True if only administrators may change it: the email has a one-time link, or protects accounts.',
});

export const MailTextSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the email.' }),
    language: StringEnum(languages),
    about: Type.String({ description: 'When it is sent, and to whom.' }),
    subject: Type.String({ description: 'The subject as it is used now.' }),
    text: Type.String({ description: 'The text as it is used now.' }),
    is_own: Type.Boolean({ description: 'True if the site has stored a text of its own.' }),
    changed: Change,
    administrators_only: AdministratorsOnly,
    ignored: Nullable(
      Type.Object(
        {
          reason: Type.String({ description: 'The rule that it breaks.' }),
          subject: Type.String(),
          text: Type.String(),
        },
        {
          description:
            'The own text, if it is not used because it was stored before a rule that it breaks.',
        },
      ),
    ),
    built_in: Type.Object(
      { subject: Type.String(), text: Type.String() },
      { description: 'The text that `DELETE` restores.' },
    ),
    placeholders: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        required: Type.Boolean({ description: 'True if the text must contain it.' }),
      }),
    ),
  },
  {
    $id: 'MailText',
    examples: [
      {
        name: 'registration-received',
        language: 'en',
        about: 'To an applicant after the application.',
        subject: 'We have your application',
        text: 'Hello,\n\nthank you!\n\n{{link}}',
        is_own: true,
        changed: { date: '2026-01-14T10:00:00', user: { id: 1, display_name: 'Robin Berg' } },
        administrators_only: true,
        ignored: null,
        built_in: { subject: 'We received your application', text: 'Hello, …' },
        placeholders: [{ name: 'link', description: 'The link of the mail.', required: true }],
      },
    ],
  },
);

export function toMailText(
  site: Site,
  mail: MailDefinition,
  language: Language,
  own: (OwnText & { updated_by_name: string }) | undefined,
): Static<typeof MailTextSchema> {
  const builtIn = textsOf(site, mail, language, undefined);
  const reason = own && errorOfStored(mail, own);
  const { subject, text } = !own || reason !== undefined ? builtIn : own;
  return {
    name: mail.name,
    language,
    about: mail.about ?? '',
    subject,
    text,
    is_own: own !== undefined,
    changed: toChange(site, own),
    administrators_only: isForAdministrators(mail),
    ignored: own && reason !== undefined ? { reason, subject: own.subject, text: own.text } : null,
    built_in: { subject: builtIn.subject, text: builtIn.text },
    placeholders: placeholdersOf(mail),
  };
}

export function toChange(
  { calendar }: Site,
  own: (OwnText & { updated_by_name: string }) | undefined,
): Static<typeof Change> {
  if (!own) return null;
  const user = { id: own.updated_by, display_name: own.updated_by_name };
  return { date: calendar.toLocal(own.updated_at), user };
}

/** What data of these names mean, unless the mail says more. */
const commonDescriptions: Record<string, string> = {
  name: 'The name of the recipient.',
  login: 'The login of the recipient.',
  prefix: 'The first characters of the key.',
  description: 'What the key is for, as its owner wrote it.',
  email: 'The new email address.',
  coupon_code: 'The code of the coupon.',
  referral_url: 'The link of the coupon.',
  message: 'What the team wrote to the applicant; empty if nothing.',
  reason: 'The reason.',
  amount: 'The amount, without its currency.',
  currency: 'The code of the currency, such as USD.',
  method: 'The payout method.',
  reference: 'The reference of the payment.',
  payout_id: 'The number of the payout.',
  application_id: 'The number of the application.',
  connection_id: 'The number of the connected store.',
  webhook_id: 'The number of the webhook.',
  gateway: 'The payment service.',
  remedy: 'What to do about it.',
  host: 'The server of the receiver.',
  failures: 'How many attempts have failed.',
  last_error: 'Why the last attempt failed.',
  administrator: 'True if the new role is administrator.',
  manager: 'True if the new role is manager.',
  disabled: 'True if the account was disabled.',
  totp_added: 'True if an authenticator app was added.',
  totp_removed: 'True if the authenticator app was removed.',
  passkey_added: 'True if a passkey was added.',
  passkey_removed: 'True if a passkey was removed.',
  recovery_codes_renewed: 'True if there are new recovery codes.',
  recovery_code_used: 'True if a recovery code was used.',
  all_removed: 'True if all second factors were removed.',
  affiliate: 'The word for an affiliate.',
  affiliates: 'The word for affiliates.',
  'site.name': 'The name of the store.',
  'site.url': 'The address of this service.',
  'site.store_url': 'The address of the store.',
  'site.portal_url': 'The address of the portal.',
};

function placeholdersOf(mail: MailDefinition) {
  const required = requiredIn(mail);
  const own = Object.entries(mail.data.properties).map(([name, schema]) => ({
    name,
    description: (schema as { description?: string }).description ?? commonDescriptions[name] ?? '',
  }));
  const link = usesLink(mail) ? [{ name: 'link', description: 'The link of the mail.' }] : [];
  const common = COMMON_NAMES.map((name) => ({
    name,
    description: commonDescriptions[name] ?? '',
  }));
  return [...link, ...own, ...common].map((placeholder) => ({
    ...placeholder,
    required: required.includes(placeholder.name),
  }));
}

/** The mail with example data. */
export function renderExample(
  site: Site,
  mail: MailDefinition,
  language: Language,
  texts: Pick<MailTexts, 'subject' | 'text'> | undefined,
): RenderedMail {
  return renderMail(site, mail, textsOf(site, mail, language, texts), {
    language,
    data: exampleDataOf(site, mail, language),
    hasLink: usesLink(mail),
  });
}
