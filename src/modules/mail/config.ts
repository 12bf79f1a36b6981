import { configKey, configSection } from '../../kernel/declare/config.ts';
import { mailAddress, mailServer } from '../../shared/config-values.ts';

export const mailConfig = configSection({
  keys: {
    smtpUrl: configKey({
      flag: 'smtp-url',
      placeholder: 'URL',
      default: '',
      help: 'the mail server: smtp://user:password@host:587, or smtps://; without one mails wait',
      secret: true,
      parse: mailServer,
    }),
    mailFrom: configKey({
      flag: 'mail-from',
      placeholder: 'EMAIL',
      default: '',
      help: 'the address mails come from',
      parse: mailAddress,
    }),
    mailTemplates: configKey({
      flag: 'mail-templates',
      placeholder: 'FOLDER',
      default: '',
      help: "a folder with the site's own texts of mails",
      parse: String,
    }),
  },
  refuse({ smtpUrl, mailFrom }) {
    if (smtpUrl === '' || mailFrom !== '') return undefined;
    return 'TRIBUTARY_SMTP_URL needs TRIBUTARY_MAIL_FROM, the address mails come from.';
  },
});
