import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import { FairQueue, QueueFullError } from '../../shared/fair-queue.ts';

const argon2 = promisify(argon2Callback);

/** OWASP's first recommendation for argon2id. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 200;

export const passwordsBusy = defineError(
  'svc_api_busy',
  503,
  'Too many passwords are being checked at the moment. Try again in a few seconds.',
);
const RETRY_AFTER_S = 5;

/**
 * Hashing takes memory and a core for tens of milliseconds. No network gets more than one of the two
 * places, and no caller waits longer than a hundred passwords take.
 */
export const passwordQueue = new FairQueue({
  running: 2,
  runningPerCaller: 1,
  waiting: 100,
  waitingPerCaller: 20,
});

type HashingCaller = Pick<RequestFacts, 'network' | 'requireStillThere'>;

/** For calls by the service itself and by the command line, which have no network. */
const localCaller: HashingCaller = { network: '', requireStillThere: () => {} };

/** Returns the hash in PHC format: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string, caller = localCaller): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST, caller);
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${cost}$${unpadded(salt)}$${unpadded(hash)}`;
}

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

export async function verifyPassword(
  password: string,
  stored: string,
  caller = localCaller,
): Promise<boolean> {
  const match = STORED.exec(stored);
  if (!match) return pretendToVerify(password, caller);
  const expected = Buffer.from(match[5]!, 'base64');
  const cost = {
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  };
  const hash = await derive(password, Buffer.from(match[4]!, 'base64'), cost, caller);
  return timingSafeEqual(hash, expected);
}

/** Takes as long as a real comparison, so that the duration does not reveal an unknown login. */
export async function pretendToVerify(password: string, caller = localCaller): Promise<false> {
  await derive(password, Buffer.alloc(16), COST, caller);
  return false;
}

async function derive(
  password: string,
  nonce: Buffer,
  cost: typeof COST,
  caller: HashingCaller,
): Promise<Buffer> {
  const message = password.normalize('NFKC');
  try {
    const turn = { name: caller.network, requireStillThere: () => caller.requireStillThere() };
    return await passwordQueue.run(turn, () => argon2('argon2id', { message, nonce, ...cost }));
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    throw new ApiError(error.scope === 'all' ? passwordsBusy : generalErrors.rateLimited, {
      message: passwordsBusy.message,
      data: { retry_after: RETRY_AFTER_S },
    });
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
