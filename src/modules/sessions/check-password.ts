import type { Caller } from '../../kernel/declare/caller.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { noteFailedSignIn } from '../security/index.ts';
import { pretendToVerify, verifyPassword, type UserRow } from '../users/index.ts';
import { beginAttempt } from './sign-in-delay.ts';

interface Guess {
  /** Undefined if no user has the login. */
  user: UserRow | undefined;
  /** What was typed as login; the login of the user by default. */
  login?: string;
  password: string;
  /** The caller who proves again who it is. */
  caller?: Caller;
}

/**
 * Whether this is the password of the user. Takes the same time for unknown and disabled users. Throws if
 * there were too many attempts for the account. A wrong
 * password is recorded; the operation must respond with 401, which counts towards the lock-out.
 */
export async function isPassword(
  site: Site,
  { user, password, caller, login = user?.login ?? '' }: Guess,
  request: RequestFacts,
): Promise<boolean> {
  const attempt = await beginAttempt(site, { user, login, caller }, request);
  const isRight =
    user?.password_hash && user.disabled_at === null
      ? await verifyPassword(password, user.password_hash, request)
      : await pretendToVerify(password, request);
  if (!isRight) {
    noteFailedSignIn(site, { login, userId: user?.id ?? 0, network: request.network });
    return false;
  }
  // A correct password is refused too if parallel wrong ones have caused a lock-out.
  request.requireStillThere();
  await attempt.succeed();
  return true;
}
