export { enqueueMail } from './enqueue-mail.ts';
export { defineMail, inEveryLanguage, mails, type MailDefinition } from './mail.ts';
