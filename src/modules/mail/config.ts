import { configKey, configSection } from '../../kernel/declare/config.ts';
import { mailSender, mailServer } from '../../shared/config-values.ts';

export const mailConfig = configSection({
  keys: {
    smtpUrl: configKey({
      flag: 'smtp-url',
      placeholder: 'URL',
      default: '',
      help: 'the mail server: smtp://user:password@host:587, or smtps://; without it, emails wait in the outbox',
      secret: true,
      parse: mailServer,
    }),
    mailFrom: configKey({
      flag: 'mail-from',
      placeholder: 'EMAIL',
      default: '',
      help: 'sender of emails: an address, or Name <address>; without a name, that of the store',
      parse: mailSender,
    }),
    mailTemplates: configKey({
      flag: 'mail-templates',
      placeholder: 'FOLDER',
      default: '',
      help: 'a folder with your own email templates',
      parse: String,
    }),
  },
  refuse({ smtpUrl, mailFrom }) {
    if (smtpUrl === '' || mailFrom !== '') return undefined;
    return 'TRIBUTARY_SMTP_URL needs TRIBUTARY_MAIL_FROM, the sender address of emails.';
  },
});
