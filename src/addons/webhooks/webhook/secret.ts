import { saveIn } from '../../../db/statements/plain-calls.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { SecretLocation } from '../../../shared/secrets.ts';

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
