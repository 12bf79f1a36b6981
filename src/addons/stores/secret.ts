import type { Site } from '../../kernel/declare/site.ts';
import type { ConnectionRow } from './connection-store.ts';

type SecretColumn = 'secret' | 'previous_secret' | 'credentials';
type WithKeys = Pick<Site, 'keyring'>;

/** Encrypts a value for a column of one connection; an empty one stays empty. */
export function encryptFor(
  { keyring }: WithKeys,
  column: SecretColumn,
  connectionId: number,
  text: string,
): string {
  return text === '' ? '' : keyring.encrypt(placeOf(column, connectionId), text);
}

export function decryptFrom(
  { keyring }: WithKeys,
  column: SecretColumn,
  row: ConnectionRow,
): string {
  const encrypted = row[column];
  return encrypted === '' ? '' : keyring.decrypt(placeOf(column, row.id), encrypted);
}

function placeOf(column: SecretColumn, connectionId: number) {
  return { table: 'store_connections', column, row: connectionId };
}
