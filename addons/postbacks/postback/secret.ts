import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { SecretLocation } from '../../../src/shared/secrets.ts';

interface StoredSecret {
  id: number;
  secret: string;
}

export const saveSecret = saveIn('postbacks', ['secret'], 'id');

export function encryptSecret({ keyring }: Site, { id, secret }: StoredSecret): string {
  return keyring.encrypt(placeOf(id), secret);
}

/** Empty for a postback that has none. */
export function decryptSecret({ keyring }: Site, { id, secret }: StoredSecret): string {
  return secret === '' ? '' : keyring.decrypt(placeOf(id), secret);
}

function placeOf(row: number): SecretLocation {
  return { table: 'postbacks', column: 'secret', row };
}
