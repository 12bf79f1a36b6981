import Type from 'typebox';
import { defineManagerSetting } from '../../../kernel/declare/setting.ts';
import { defineMail, type Notice } from '../../mail/index.ts';

export const earnedMails = defineManagerSetting(
  'mail.earned',
  Type.Boolean(),
  true,
  'Affiliates get an email about what they have earned, once a day at most. It covers orders from when this was switched on.',
);

export const earnedNotice: Notice = {
  name: 'earnings',
  description: 'What the affiliate has earned, once a day at most.',
  audience: 'everyone',
};

export const earnedMail = defineMail(
  'earned',
  Type.Object({
    name: Type.String(),
    money: Type.String({ description: 'What was earned, with its currency, as people write it.' }),
    amount: Type.String({ description: 'What was earned, as a decimal number.' }),
    currency: Type.String(),
    balance: Type.String({ description: 'What is payable now, with its currency.' }),
    since: Type.String({ description: 'The day from which on it was earned.' }),
  }),
  {
    notice: earnedNotice,
    about: 'To the affiliate, once a day at most, with what was earned since the last one.',
  },
);
