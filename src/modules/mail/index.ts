export { mailConfig } from './config.ts';
export { enqueueMail } from './enqueue-mail.ts';
export { findMailsByKey } from './mails-by-key.ts';
export { formatMoney } from './format-money.ts';
export { defineMail, mails, notices, type MailDefinition, type Notice } from './mail.ts';
