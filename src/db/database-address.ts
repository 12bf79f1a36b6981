import { accessSync, constants } from 'node:fs';

/** The driver treats these as verify-full, and warns that a later version will not. */
const WEAKER_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** The servers of an address, between the user and the name of the database. */
const SERVERS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** One address for each server that is named: `postgres://one:5432,two:5432/name`. */
export function addressesOf(address: string): string[] {
  const [, before = '', servers = '', rest = ''] = SERVERS.exec(address) ?? [];
  return servers.split(',').map((server) => before + server + rest);
}

/** The address of a PostgreSQL database. The message of an error completes "DATABASE_URL must …". */
export function databaseAddress(given: string): string {
  // An address that was read from a file ends with a line break, which the driver would add to the path.
  const text = given.trim();
  if (text !== '') for (const address of addressesOf(text)) requireUsable(address);
  return text.replace(WEAKER_MODES, '$1verify-full');
}

function requireUsable(address: string): void {
  const url = URL.parse(address);
  const name = url?.pathname.slice(1) ?? '';
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || name === '' || name.includes('/')) {
    throw new Error('be an address like postgres://user:password@host:5432/name');
  }
  try {
    decodeURIComponent(url.username + url.password + name);
  } catch {
    throw new Error('have its special characters written as %20');
  }
  for (const [part, value] of url.searchParams) {
    if (['sslrootcert', 'sslcert', 'sslkey'].includes(part)) requireReadable(part, value);
    // The driver would accept the certificate of any server.
    if (['sslmode', 'ssl'].includes(part) && value === 'no-verify') {
      throw new Error('have sslmode=verify-full, or sslmode=disable for a server without TLS');
    }
    if (part === 'target_session_attrs' && !['read-write', 'primary'].includes(value)) {
      throw new Error('have target_session_attrs=read-write, since the service makes changes');
    }
  }
}

function requireReadable(name: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new Error(`name a file that can be read as ${name}`);
  }
}
