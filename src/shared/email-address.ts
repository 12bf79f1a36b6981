/**
 * A character of an address. Excluded are space, control characters and , ; : ( ) [ ] < > " \ because a mail program
 * could read them as a list, a comment, a route or a header.
 */
const CHARACTER = '[^\\s@,;:()\\[\\]<>"\\\\\\u0000-\\u001f\\u007f-\\u009f]';

export const EMAIL_ADDRESS_PATTERN = `^${CHARACTER}{1,64}@${CHARACTER}{1,190}$`;

const emailAddress = new RegExp(EMAIL_ADDRESS_PATTERN);

/** The domain of people whose data was erased. It never exists (RFC 2606), so no mail is sent to it. */
export const ERASED_DOMAIN = '@invalid';

export function isEmailAddress(text: string): boolean {
  return emailAddress.test(text);
}
