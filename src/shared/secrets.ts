import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Thrown when the system has no secure random bytes. */
export class NoEntropyError extends Error {
  override name = 'NoEntropyError';
}

/** Uniform over the alphabet: bytes beyond the last multiple of 62 are discarded. */
export function randomBase62(
  length: number,
  random: (size: number) => Buffer = randomBytes,
): string {
  return randomText(length, BASE62, random);
}

/** Each character of the alphabet is equally likely: bytes beyond the last complete round are skipped. */
export function randomText(
  length: number,
  alphabet: string,
  random: (size: number) => Buffer = randomBytes,
): string {
  const usable = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of secureBytes(length * 2, random)) {
      if (byte < usable && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

function secureBytes(size: number, random: (size: number) => Buffer): Buffer {
  try {
    return random(size);
  } catch (cause) {
    throw new NoEntropyError('The system gave no secure random bytes', { cause });
  }
}

export function toBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * The row and column of an encrypted value. It can be decrypted only with this location: an attacker with write
 * access to the database alone cannot replace one affiliate's bank account, or one webhook's secret, with
 * another's.
 */
export interface SecretLocation {
  readonly table: string;
  readonly column: string;
  /** The primary key. */
  readonly row: string | number | readonly string[];
}

/** The version of the encrypted format. */
const FORMAT = 'v1.';

/**
 * All keys of an installation are derived from one master secret, one per purpose, so that a hash for one purpose
 * is worthless for another.
 */
export class Keyring {
  readonly #master: Buffer;
  readonly #derived = new Map<string, KeyObject>();

  constructor(master: Buffer) {
    this.#master = master;
  }

  /** The keyed hash under which a secret is stored; it is useless without the master secret. */
  hash(purpose: string, secret: string): string {
    return createHmac('sha256', this.#keyFor(purpose)).update(secret).digest('base64url');
  }

  /**
   * Encrypts a value that must be read again (AES-256-GCM). Without the master secret it can be neither read nor
   * changed.
   */
  encrypt(location: SecretLocation, text: string): string {
    const nonce = secureBytes(NONCE_BYTES, randomBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keyFor(purposeOf(location)), nonce);
    cipher.setAAD(nameOf(location));
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
  }

  /** Throws when the value was encrypted for another location or with another master secret, or was changed. */
  decrypt(location: SecretLocation, encrypted: string): string {
    if (!encrypted.startsWith(FORMAT)) throw new Error('This value is not encrypted.');
    const bytes = Buffer.from(encrypted.slice(FORMAT.length), 'base64url');
    const key = this.#keyFor(purposeOf(location));
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(nameOf(location));
    decipher.setAuthTag(tag);
    const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }

  #keyFor(purpose: string): KeyObject {
    let key = this.#derived.get(purpose);
    if (!key) {
      const bytes = hkdfSync('sha256', this.#master, '', `tributary ${purpose}`, 32);
      key = createSecretKey(Buffer.from(bytes));
      this.#derived.set(purpose, key);
    }
    return key;
  }
}

function purposeOf({ table, column }: SecretLocation): string {
  return `encrypted ${table}.${column}`;
}

function nameOf({ table, column, row }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]));
}

/** Compares in constant time, so that the duration does not reveal where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
