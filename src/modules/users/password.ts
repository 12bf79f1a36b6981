import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2 = promisify(argon2Callback);

/** OWASP's first recommendation for argon2id. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 200;

/** Hashing takes memory and a core; a crowd at the door waits in line instead of taking all of both. */
const AT_ONCE_MAX = 2;
let running = 0;
const queue: (() => void)[] = [];

/** In the usual notation: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${cost}$${unpadded(salt)}$${unpadded(hash)}`;
}

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = STORED.exec(stored);
  if (!match) return false;
  const expected = Buffer.from(match[5]!, 'base64');
  const hash = await derive(password, Buffer.from(match[4]!, 'base64'), {
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  });
  return timingSafeEqual(hash, expected);
}

/** Takes as long as a real comparison, so that an unknown login cannot be told by the time it takes. */
export async function pretendToVerify(password: string): Promise<false> {
  await derive(password, Buffer.alloc(16), COST);
  return false;
}

async function derive(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => queue.push(resolve));
  running += 1;
  try {
    return await argon2('argon2id', { message: password.normalize('NFKC'), nonce, ...cost });
  } finally {
    running -= 1;
    queue.shift()?.();
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
