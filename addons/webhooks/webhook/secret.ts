import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { SecretLocation } from '../../../src/shared/secrets.ts';

interface StoredSecret {
  id: number;
  secret: string;
}

export const saveSecret = saveIn('webhooks', ['secret'], 'id');

export function encryptSecret(
  { keyring }: Pick<Site, 'keyring'>,
  webhookId: number,
  secret: string,
) {
  return keyring.encrypt(placeOf(webhookId), secret);
}

export function decryptSecret({ keyring }: Site, { id, secret }: StoredSecret): string {
  return keyring.decrypt(placeOf(id), secret);
}

function placeOf(webhookId: number): SecretLocation {
  return { table: 'webhooks', column: 'secret', row: webhookId };
}
