/**
 * One address, and nothing that a mail program could read as a list, a comment, a route or a header:
 * no , ; : ( ) [ ] < > " \ and no space or control character.
 */
const PART = '[^\\s@,;:()\\[\\]<>"\\\\\\u0000-\\u001f\\u007f-\\u009f]';

export const EMAIL_ADDRESS_PATTERN = `^${PART}{1,64}@${PART}{1,190}$`;

const emailAddress = new RegExp(EMAIL_ADDRESS_PATTERN);

export function isEmailAddress(text: string): boolean {
  return emailAddress.test(text);
}
