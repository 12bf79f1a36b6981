export { enqueueMail } from './enqueue-mail.ts';
export { defineMail, mails, type MailDefinition } from './mail.ts';
