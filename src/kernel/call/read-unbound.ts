import type { Keyring } from '../../shared/secrets.ts';

/** A value as earlier versions encrypted it; undefined when it is none of this installation. */
export function readUnbound(keyring: Keyring, purpose: string, text: string): string | undefined {
  try {
    return keyring.decryptUnbound(purpose, text);
  } catch {
    return undefined;
  }
}
