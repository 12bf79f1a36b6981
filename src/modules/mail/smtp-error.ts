import { LinkLostError } from './one-time-link.ts';

/** Error thrown by nodemailer, with the reply code of the server if there was one. */
export interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** Nodemailer replaces the error codes of the system with its own; the message still names them. */
const reasons: [pattern: RegExp, reason: string][] = [
  [/EDNS|ENOTFOUND|EAI_AGAIN/, 'the name of the mail server could not be resolved'],
  [/ECONNREFUSED/, 'the mail server refused the connection'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the mail server could not be reached'],
  [/ETLS|certificate|\bSSL\b|\bTLS\b/i, 'no trusted TLS connection could be established'],
  [/ETIMEDOUT|timeout/i, 'the mail server did not answer in time'],
  [/ECONNRESET|EPIPE|closed/i, 'the mail server closed the connection'],
];

/** Why a mail was not sent. Never quotes the mail or the server's reply, which may name an address. */
function failureOf({ code, responseCode, message }: SmtpError): string {
  if (code === 'EAUTH') {
    return `the mail server rejected the username or password (${responseCode ?? 'no code'})`;
  }
  if (responseCode !== undefined) return `the mail server answered ${responseCode}`;
  const found = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
  return found?.[1] ?? 'the mail could not be sent';
}

/** Why a mail was not sent, for the log. */
export function reasonOf(error: SmtpError): string {
  if (error instanceof NoAddressError) return 'the address is not valid';
  if (error instanceof LinkLostError) return 'the link cannot be read';
  return failureOf(error);
}

/** The recipient of a mail is not exactly one address. */
export class NoAddressError extends Error {}

const COMMANDS_ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/**
 * Whether the server refused this mail permanently. Errors before that (a wrong password, a blocked
 * IP address) concern the configuration: mails wait until the operator fixes it.
 */
export function isRefusal(error: SmtpError): boolean {
  if (error instanceof NoAddressError || error instanceof LinkLostError) return true;
  const { responseCode = 0, command = '' } = error;
  return responseCode >= 500 && responseCode < 600 && COMMANDS_ABOUT_THE_MAIL.has(command);
}

/** Failures before the server could have received a mail. */
const NOTHING_SENT =
  /EDNS|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETLS|EAUTH|EENVELOPE|EPROXY|Connection timeout|Greeting never received/;

/**
 * Whether the server may have accepted the mail nevertheless: the connection ended without a reply. Nodemailer does not
 * tell how far it came, so this is assumed of every connection that was open.
 */
export function mayHaveArrived(error: SmtpError): boolean {
  if (error.responseCode !== undefined || isRefusal(error)) return false;
  return !NOTHING_SENT.test(`${error.code} ${error.message}`);
}
