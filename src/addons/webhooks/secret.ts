import type { Site } from '../../kernel/site.ts';

const PURPOSE = 'webhook secret';

export function encryptSecret({ keyring }: Site, secret: string): string {
  return keyring.encrypt(PURPOSE, secret);
}

export function decryptSecret({ keyring }: Site, encrypted: string): string {
  return keyring.decrypt(PURPOSE, encrypted);
}
