import Type from 'typebox';
import { defineMail } from '../../../modules/mail/index.ts';

/** For the administrators, when a store that was reported to them works again. */
export const storeRecoveredMail = defineMail(
  'store-recovered',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a store that was reported to them works again.',
  },
);
