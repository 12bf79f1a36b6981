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

/** Thrown when the system cannot give secure random bytes. */
export class NoEntropyError extends Error {
  override name = 'NoEntropyError';
}

/** Uniform over the alphabet: bytes past the last whole multiple of 62 are thrown away. */
export function randomBase62(
  length: number,
  random: (size: number) => Buffer = randomBytes,
): string {
  let text = '';
  while (text.length < length) {
    for (const byte of secureBytes(length * 2, random)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
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
 * Where an encrypted value is stored. It can be read there and nowhere else: with write access to the
 * database alone, nobody can put one affiliate's bank account, or one receiver's secret, in the place
 * of another's.
 */
export interface Place {
  readonly table: string;
  readonly column: string;
  /** The primary key. */
  readonly row: string | number | readonly string[];
}

/** What values that are bound to their place begin with. */
const BOUND = 'v2.';

export function isBound(encrypted: string): boolean {
  return encrypted.startsWith(BOUND);
}

/**
 * Everything secret of an installation is derived from one master secret, one key per purpose, so
 * that a hash made for one purpose is worthless for another.
 */
export class Keyring {
  readonly #master: Buffer;
  readonly #derived = new Map<string, KeyObject>();

  constructor(master: Buffer) {
    this.#master = master;
  }

  /** The keyed hash under which a secret is stored: useless without the master secret. */
  hash(purpose: string, secret: string): string {
    return createHmac('sha256', this.#keyFor(purpose)).update(secret).digest('base64url');
  }

  /** What must be read again later, unreadable and unchangeable without the master secret. */
  encrypt(place: Place, text: string): string {
    const nonce = secureBytes(NONCE_BYTES, randomBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keyFor(purposeOf(place)), nonce);
    cipher.setAAD(nameOf(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return BOUND + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Throws when it was made for another place, under another master secret, or was changed. */
  decrypt(place: Place, encrypted: string): string {
    if (!isBound(encrypted)) throw new Error('This value is not bound to its row.');
    const bytes = Buffer.from(encrypted.slice(BOUND.length), 'base64url');
    return opened(this.#keyFor(purposeOf(place)), bytes, nameOf(place));
  }

  /**
   * Reads what versions up to 0.1 wrote, which could be moved from row to row. Only for binding such
   * values to the rows they are found in, once: see `bound-secrets.ts`.
   */
  decryptUnbound(purpose: string, encrypted: string): string {
    return opened(this.#keyFor(purpose), Buffer.from(encrypted, 'base64url'));
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

function purposeOf({ table, column }: Place): string {
  return `encrypted ${table}.${column}`;
}

function nameOf({ table, column, row }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]));
}

function opened(key: KeyObject, bytes: Buffer, name?: Buffer): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  if (name) decipher.setAAD(name);
  decipher.setAuthTag(tag);
  const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}

/** Compares without telling by its duration where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
