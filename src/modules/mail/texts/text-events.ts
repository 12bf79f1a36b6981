import Type from 'typebox';
import { defineEvent } from '../../../kernel/declare/event.ts';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import { languages } from '../../../shared/languages.ts';

export const mailTextChanged = defineEvent(
  'mail.text_changed',
  "A site's own text of an email was stored or removed.",
  Type.Object({
    name: Type.String({ description: 'The email.' }),
    language: StringEnum(languages),
    is_own: Type.Boolean({ description: 'False after a return to the built-in text.' }),
  }),
  {
    id: 29,
    timestamp: '2026-01-13T15:00:00.310Z',
    data: { name: 'registration-received', language: 'en', is_own: true },
  },
);
