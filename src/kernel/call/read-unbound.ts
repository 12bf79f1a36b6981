import type { Keyring } from '../../shared/secrets.ts';

/** Decrypts a value of an earlier version; undefined if this installation did not encrypt it. */
export function readUnbound(keyring: Keyring, purpose: string, text: string): string | undefined {
  try {
    return keyring.decryptUnbound(purpose, text);
  } catch {
    return undefined;
  }
}
