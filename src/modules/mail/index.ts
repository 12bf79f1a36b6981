export { enqueueMail } from './enqueue-mail.ts';
export { findMailsByKey } from './outbox-rows.ts';
export { countToMany, holdMails, releaseMails, withdrawMails } from './mails-to-many-rows.ts';
export { mailResults, type MailResult } from './mail-results.ts';
export { readUnsubscribeToken, unsubscriptions, type Unsubscription } from './unsubscribe-token.ts';
export { formatMoney } from './format-money.ts';
export {
  defineMail,
  mails,
  notices,
  type MailDefinition,
  type MailName,
  type Notice,
} from './mail.ts';
export { renderText } from './render-mail.ts';
export { errorOf as errorOfTemplate, textFields } from './texts/check-text.ts';
