import Type from 'typebox';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';
import { defineMail, type Notice } from '../mail/index.ts';

export const rewardMails = defineManagerSetting(
  'mail.rewards',
  Type.Boolean(),
  true,
  'Affiliates get an email when reward rules or bonuses that apply to them change, ten minutes after the last change and at most an hour after the first.',
);

export const rewardsNotice: Notice = {
  name: 'rewards',
  description: 'Changes of the rules by which the affiliate earns.',
  audience: 'everyone',
};

export const rewardsMail = defineMail(
  'rewards-changed',
  Type.Object({
    name: Type.String(),
    day: Type.String({ description: 'The day from which on the changes apply.' }),
    changes: Type.String({
      description: 'The sentences that have changed, old and new, a paragraph for each.',
    }),
  }),
  {
    notice: rewardsNotice,
    required: ['changes'],
    about:
      'To the affiliates for whom other rules or bonuses apply, ten minutes after the last change of them and at most an hour after the first.',
  },
);
