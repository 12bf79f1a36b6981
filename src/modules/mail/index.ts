export { enqueueMail } from './enqueue-mail.ts';
export {
  defineMail,
  inEveryLanguage,
  mails,
  notices,
  type MailDefinition,
  type Notice,
} from './mail.ts';
