import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/** Notifies a user of a key in its own name, which a thief of an open browser may have created. */
export const ownKeyMail = defineMail(
  'account-key-created',
  Type.Object({ name: Type.String(), prefix: Type.String(), description: Type.String() }),
  { about: 'To a person who has created an API key.' },
);
