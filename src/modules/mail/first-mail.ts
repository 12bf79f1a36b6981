import { configOf } from '../../kernel/declare/config.ts';
import type { FirstStep } from '../overview/index.ts';
import { mailConfig } from './config.ts';

export const firstMail: FirstStep = {
  name: 'mail',
  title: 'Connect a mail server',
  isDone: (_, site) => Promise.resolve(configOf(site, mailConfig).smtpUrl !== ''),
};
