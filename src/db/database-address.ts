import { accessSync, constants } from 'node:fs';

/** The driver takes these for verify-full, with a long warning that another version may not. */
const WEAKER_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** The address of a PostgreSQL database. Throws in words that complete the sentence "DATABASE_URL must …". */
export function databaseAddress(given: string): string {
  // A file or a secret that it was read from ends with a line break; the driver would take it for a path.
  const text = given.trim();
  if (text === '') return '';
  const url = URL.parse(text);
  const name = url?.pathname.slice(1) ?? '';
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || name === '' || name.includes('/')) {
    throw new Error('be an address like postgres://user:password@host:5432/name');
  }
  try {
    decodeURIComponent(url.username + url.password + name);
  } catch {
    throw new Error('have its special characters written as %20');
  }
  for (const [part, file] of url.searchParams) {
    if (['sslrootcert', 'sslcert', 'sslkey'].includes(part)) requireReadable(part, file);
  }
  return text.replace(WEAKER_MODES, '$1verify-full');
}

function requireReadable(name: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new Error(`name a file that can be read as ${name}`);
  }
}
