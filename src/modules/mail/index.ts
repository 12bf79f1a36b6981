export { mailConfig } from './config.ts';
export { enqueueMail } from './enqueue-mail.ts';
export { findMailsByKey } from './outbox-rows.ts';
export { formatMoney } from './format-money.ts';
export {
  defineMail,
  mails,
  notices,
  type MailDefinition,
  type MailName,
  type Notice,
} from './mail.ts';
