import Type from 'typebox';
import { defineSetting } from '../../kernel/declare/setting.ts';
import { isEmailAddress } from '../../shared/email-address.ts';

/** For administrators: a reply to a mail may quote its one-time link. */
export const replyAddress = defineSetting(
  'mail.reply_to',
  Type.String({ maxLength: 254 }),
  '',
  'The address that replies to emails go to, such as that of your support. Empty: the sender address.',
  (value) => (value === '' || isEmailAddress(value) ? undefined : 'must be an email address'),
);

export const mailsPerMinute = defineSetting(
  'mail.per_minute',
  Type.Integer({ minimum: 0, maximum: 100_000 }),
  0,
  'How many emails are sent in a minute at most: the limit of your mail server. 0: as fast as it accepts them.',
);
