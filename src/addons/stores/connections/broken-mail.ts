import Type from 'typebox';
import { defineMail } from '../../../modules/mail/index.ts';

/** For the administrators, when a connected store has not worked for a while. */
export const storeBrokenMail = defineMail(
  'store-broken',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
    reason: Type.String({ description: 'The problem, in a sentence.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a connected store has not worked for half an hour.',
  },
);
