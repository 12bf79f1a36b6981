import Type from 'typebox';
import { defineMail, type Notice } from '../../src/modules/mail/index.ts';
import './texts.ts';

export const messageNotice: Notice = {
  name: 'messages',
  description: 'Messages that were not read yet.',
  audience: 'everyone',
};

const count = Type.Integer({ description: 'How many messages wait to be read.' });
const several = Type.Boolean({ description: 'True if there is more than one.' });

/** No text of the messages: a mail is copied to more places than the thread, and is not erased with it. */
export const toAffiliateMail = defineMail(
  'message-to-affiliate',
  Type.Object({
    name: Type.String({ description: 'The name of the affiliate.' }),
    count,
    several,
  }),
  {
    notice: messageNotice,
    about: 'To an affiliate who has not read messages of the team, some minutes after they came.',
  },
);

export const toTeamMail = defineMail(
  'message-to-team',
  Type.Object({
    name: Type.String({ description: 'The name of the affiliate who wrote.' }),
    affiliate_id: Type.Integer({ description: 'The affiliate who wrote.' }),
    count,
    several,
  }),
  {
    notice: messageNotice,
    reason: 'team',
    about: 'To administrators and managers when messages of an affiliate wait to be read.',
  },
);
