import Type from 'typebox';
import { defineMail } from '../mail.ts';

/** For the administrators: a text with a one-time link could lead its recipients elsewhere. */
export const textChangedMail = defineMail(
  'mail-text-changed',
  Type.Object({
    mail: Type.String({ description: 'The name of the email whose text has changed.' }),
    language: Type.String({ description: 'The language of the text.' }),
    who: Type.String({
      description: 'The name of the person that changed it; empty for the command line.',
    }),
  }),
  {
    reason: 'team',
    administratorsOnly: true,
    required: ['mail'],
    about: 'To administrators when the text of an email with a one-time link was changed.',
  },
);
