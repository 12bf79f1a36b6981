import { domainToASCII } from 'node:url';

/**
 * A character of an address. Excluded are space, control characters and , ; : ( ) [ ] < > " \ because a mail program
 * could read them as a list, a comment, a route or a header, and characters that are not seen: an address that looks
 * like another one.
 */
const EXCLUDED = '\\s@,;:()\\[\\]<>"\\\\\\p{Control}\\p{Format}\\p{Default_Ignorable_Code_Point}';

export const EMAIL_ADDRESS_PATTERN = `^[^${EXCLUDED}]{1,64}@[^${EXCLUDED}/?#%]{1,190}$`;

const emailAddress = new RegExp(EMAIL_ADDRESS_PATTERN, 'u');

/** Quotes around all of it stay where a file of environment variables is not read by a shell. */
const QUOTED = /^(["'])(.*)\1$/s;
const NAMED = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>]*)) *<([^<>]*)>$/su;
/** A name is one line of what can be seen, so that it adds no header and hides nothing. */
const NAME = /^[^\p{Control}\p{Format}\p{Zl}\p{Zp}]{0,100}$/u;

/** Reads a sender: `a@store.example`, `Our Store <a@store.example>` or `"Store, Ltd." <a@store.example>`. */
export function readSender(text: string): { name: string; address: string } | undefined {
  const whole = QUOTED.exec(text)?.[2] ?? text;
  const [, quoted, plain = '', named] = NAMED.exec(whole) ?? [];
  const name = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain;
  const address = named ?? whole;
  return NAME.test(name) && isEmailAddress(address) ? { name: name.trim(), address } : undefined;
}

/** The domain of people whose data was erased. It never exists (RFC 2606), so no mail is sent to it. */
export const ERASED_DOMAIN = '@invalid';

/** The domain of an address in lower case; null without one. */
export function domainOf(address: string | undefined): string | null {
  const trimmed = address?.trim();
  return trimmed ? trimmed.slice(trimmed.lastIndexOf('@') + 1).toLowerCase() : null;
}

export function isEmailAddress(text: string): boolean {
  return emailAddress.test(text);
}

/**
 * The address as it is stored: mail servers read a domain in any case, with letters of full width and in other
 * alphabets alike (UTS 46), so each spelling would count as another address.
 */
export function canonicalAddress(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@');
  if (at === -1) return text;
  return `${text.slice(0, at).normalize('NFC')}@${canonicalDomain(text.slice(at + 1))}`;
}

/** The address as it is compared: the same for every spelling of it. */
export function foldAddress(address: string): string {
  return canonicalAddress(address).toLowerCase();
}

/** Providers that ignore dots before the @, each with the domain that its mailboxes also have. */
const IGNORES_DOTS: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/** The mailbox that an address leads to, folded: without what follows a `+`, and without dots that its provider ignores. */
export function mailboxOf(address: string): string {
  const folded = foldAddress(address);
  const at = folded.lastIndexOf('@');
  if (at === -1) return folded;
  const name = folded.slice(0, at);
  const domain = folded.slice(at + 1);
  const plus = name.indexOf('+');
  const box = plus > 0 ? name.slice(0, plus) : name;
  if (!Object.hasOwn(IGNORES_DOTS, domain)) return `${box}@${domain}`;
  return `${box.replaceAll('.', '')}@${IGNORES_DOTS[domain]}`;
}

function canonicalDomain(domain: string): string {
  const lower = domain.toLowerCase().replace(/\.$/, '');
  // Nearly every domain. What is not a domain, such as text with a slash, would be cut off.
  if (/^[a-z\d._-]*$/.test(lower) || /[/?#%:@\\]/.test(lower)) return lower;
  return domainToASCII(lower).replace(/\.$/, '') || lower;
}
