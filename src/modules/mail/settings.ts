import Type from 'typebox';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';
import { isEmailAddress } from '../../shared/email-address.ts';

export const replyAddress = defineManagerSetting(
  'mail.reply_to',
  Type.String({ maxLength: 254 }),
  '',
  'The address that replies to mails go to, such as that of your support. Empty: the sender address.',
  (value) => (value === '' || isEmailAddress(value) ? undefined : 'must be an e-mail address'),
);
