import { write } from '../../../db/statements/calls.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { SecretLocation } from '../../../shared/secrets.ts';

interface StoredSecret {
  id: number;
  secret: string;
}

export const saveSecret = write<StoredSecret>((db, p) =>
  db.updateTable('postbacks').set({ secret: p.secret }).where('id', '=', p.id),
);

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
