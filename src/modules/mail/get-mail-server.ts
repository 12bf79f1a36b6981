import Type from 'typebox';
import { configOf } from '../../kernel/declare/config.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { mailConfig } from './config.ts';

export const getMailServer = operation({
  method: 'GET',
  namespace: 'store',
  path: '/mail-server',
  summary: 'Get whether a mail server is connected',
  description:
    'The configuration of the installation names it. Without one, emails wait in the outbox.',
  access: 'admin',
  scope: 'manage',
  response: Type.Object(
    {
      configured: Type.Boolean({ description: 'True if emails are sent.' }),
      from: Type.String({ description: 'The sender address of emails; empty if there is none.' }),
    },
    { $id: 'MailServer', examples: [{ configured: true, from: 'program@store.example' }] },
  ),
  handle({ site }) {
    const { smtpUrl, mailFrom } = configOf(site, mailConfig);
    return { configured: smtpUrl !== '', from: mailFrom };
  },
});
