import type { Transaction } from '../../db/database.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { noteFailedSignIn } from '../security/index.ts';
import { findUser, findUserByName, holdPassword, type UserRow } from '../users/index.ts';
import { isPassword } from './check-password.ts';
import { proofMethods } from './proof-methods.ts';
import { secondFactorsOf, type SecondStepMethod } from './second-factors.ts';
import { beginAttempt } from './sign-in-delay.ts';
import { attemptStep, openStep, takeStep } from './sign-in-step-rows.ts';

/** The parameters of a sign-in: login and password, then the second step; or a passkey alone. */
export interface Identification {
  login?: string | undefined;
  password?: string | undefined;
  sign_in_token?: string | undefined;
  code?: string | undefined;
  passkey?: Record<string, unknown> | undefined;
}

export interface IdentifiedUser {
  readonly user: UserRow;
  /** Runs in the transaction that opens the session: what identified the user works once. */
  confirm(tx: Transaction): Promise<void>;
}

/**
 * Finds out who signs in. Throws `unauthorized` for anything wrong, and `secondFactorRequired` with a token
 * for the second step after a right password of a user with a second factor.
 */
export async function identifyUser(
  site: Site,
  given: Identification,
  request: RequestFacts,
): Promise<IdentifiedUser> {
  if (given.sign_in_token !== undefined) {
    return bySecondStep(site, given.sign_in_token, given, request);
  }
  if (given.login !== undefined) return byPassword(site, given, request);
  const user = await secondFactorsOf(site)?.userOfPasskey(site, given.passkey);
  if (!user || user.disabled_at !== null) throw refused(site, request, user);
  return { user, confirm: async () => {} };
}

async function byPassword(
  site: Site,
  given: Identification,
  request: RequestFacts,
): Promise<IdentifiedUser> {
  const { login = '', password = '', code, passkey } = given;
  const { read } = site.database;
  const user = await findUserByName(read, login);
  const isRight = await isPassword(site, { user, login, password }, request);
  if (!user || !isRight) throw refused(site, request, user, login);

  // Checking took a while. A change of the password ends all sessions, and none may open after it with the former one.
  const confirm = async (tx: Transaction) => {
    if (!(await holdPassword(tx, user))) throw refused(site, request, user, login);
  };
  const methods = (await secondFactorsOf(site)?.methodsOf(read, user.id)) ?? [];
  if (methods.length === 0) return { user, confirm };
  const token = await site.database.transaction(async (tx) => {
    await confirm(tx);
    return openStep(tx, site, user.id);
  });
  if (code !== undefined || passkey !== undefined) {
    return bySecondStep(site, token, given, request);
  }
  throw new ApiError(generalErrors.secondFactorRequired, {
    data: { sign_in_token: token, methods },
  });
}

/** Opens the second step for a user who has a second factor, after a first step other than the password. */
export async function openSecondStep(
  tx: Transaction,
  site: Site,
  userId: number,
): Promise<{ token: string; methods: SecondStepMethod[] } | undefined> {
  const methods = (await secondFactorsOf(site)?.methodsOf(tx, userId)) ?? [];
  if (methods.length === 0) return undefined;
  return { token: await openStep(tx, site, userId), methods };
}

async function bySecondStep(
  site: Site,
  token: string,
  given: Identification,
  request: RequestFacts,
): Promise<IdentifiedUser> {
  const userId = await attemptStep(site, token);
  const user = userId === undefined ? undefined : await findUser(site.database.read, userId);
  const isRight = user?.disabled_at === null && (await isSecondFactor(site, user, given, request));
  if (!user || !isRight) throw refused(site, request, user);
  return {
    user,
    async confirm(tx) {
      if (!(await takeStep(tx, site, token))) throw refused(site, request, user);
    },
  };
}

async function isSecondFactor(
  site: Site,
  user: UserRow,
  given: Identification,
  request: RequestFacts,
): Promise<boolean> {
  const attempter = { user, login: user.login, isSecondStep: true };
  for (const { parameter, verify } of site.registry.contributions(proofMethods)) {
    const value = given[parameter];
    if (value === undefined) continue;
    const attempt = await beginAttempt(site, attempter, request);
    const isRight = await verify({ site, user, value, request });
    if (isRight) await attempt.succeed();
    return isRight;
  }
  return false;
}

function refused(
  site: Site,
  { network }: RequestFacts,
  user: UserRow | undefined,
  login = '',
): ApiError {
  noteFailedSignIn(site, { login, userId: user?.id ?? 0, network });
  const message =
    login === ''
      ? 'The code or the passkey is wrong, or the sign-in took too long.'
      : 'The login or the password is wrong.';
  return new ApiError(generalErrors.unauthorized, { message });
}
