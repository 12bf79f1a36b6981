/** What nodemailer throws: with the server's answer, where it gave one. */
export interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** Nodemailer puts codes of its own over those of the system, which are left in the message. */
const reasons: [sign: RegExp, reason: string][] = [
  [/EDNS|ENOTFOUND|EAI_AGAIN/, 'the name of the mail server could not be resolved'],
  [/ECONNREFUSED/, 'the mail server refused the connection'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the mail server could not be reached'],
  [/ETLS|certificate|\bSSL\b|\bTLS\b/i, 'no trusted TLS connection could be made'],
  [/ETIMEDOUT|timeout/i, 'the mail server did not answer in time'],
  [/ECONNRESET|EPIPE|closed/i, 'the mail server closed the connection'],
];

/** Why a mail was not sent, in words that quote nothing of the mail. */
export function failureOf({ code, responseCode, message }: SmtpError): string {
  if (code === 'EAUTH') {
    return `the mail server refused the user or the password (${responseCode ?? 'no code'})`;
  }
  if (responseCode !== undefined) return `the mail server answered ${responseCode}`;
  const found = reasons.find(([sign]) => sign.test(`${code} ${message}`));
  return found?.[1] ?? 'the mail could not be handed over';
}
