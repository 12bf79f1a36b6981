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
export function failureOf({ code, responseCode, message }: SmtpError): string {
  if (code === 'EAUTH') {
    return `the mail server rejected the username or password (${responseCode ?? 'no code'})`;
  }
  if (responseCode !== undefined) return `the mail server answered ${responseCode}`;
  const found = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
  return found?.[1] ?? 'the mail could not be sent';
}
