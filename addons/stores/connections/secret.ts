import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';
import type { ConnectionRow } from './connection-rows.ts';

type SecretColumn = 'secret' | 'previous_secret' | 'credentials';
type WithKeys = Pick<Site, 'keyring'>;

/** More than the secrets of all connections of a store. */
const DECRYPTED_MAX = 100;

/** By connection, column and encrypted text: each delivery needs the secret, which takes longer to decrypt than to use. */
const decrypted = perSite(() => new BoundedMap<string, string>(DECRYPTED_MAX));

/** Encrypts a value for a column of one connection; an empty one stays empty. */
export function encryptFor(
  { keyring }: WithKeys,
  column: SecretColumn,
  connectionId: number,
  text: string,
): string {
  return text === '' ? '' : keyring.encrypt(placeOf(column, connectionId), text);
}

export function decryptFrom(site: Site, column: SecretColumn, row: ConnectionRow): string {
  const encrypted = row[column];
  if (encrypted === '') return '';
  const key = `${row.id} ${column} ${encrypted}`;
  const known = decrypted(site).get(key);
  if (known !== undefined) return known;
  const text = site.keyring.decrypt(placeOf(column, row.id), encrypted);
  decrypted(site).set(key, text);
  return text;
}

function placeOf(column: SecretColumn, connectionId: number) {
  return { table: 'store_connections', column, row: connectionId };
}
