import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import { languages } from '../../../shared/languages.ts';
import { isForAdministrators, mails, type MailDefinition } from '../mail.ts';
import { textsOf } from './current-text.ts';
import { listOwnTexts } from './text-rows.ts';
import { AdministratorsOnly, Change, toChange } from './text-wire.ts';

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
