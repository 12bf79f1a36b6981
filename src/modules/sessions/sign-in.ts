import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { PASSWORD_LENGTH_MAX, passwordsBusy, toPerson, type UserRow } from '../users/index.ts';
import { identifyUser, type Identification } from './identify-user.ts';
import { SessionSchema, toSession } from './session-wire.ts';
import { openSession } from './session.ts';

export const signIn = operation({
  method: 'POST',
  namespace: 'site',
  path: '/session',
  summary: 'Sign in',
  description:
    'Sets the session cookie. Every change made with it needs the header X-Svc-CSRF with the ' +
    'csrf_token of this answer. For a user with a second factor, login and password alone are answered with ' +
    'svc_api_second_factor_required and a sign_in_token: send it within five minutes with a code or a passkey. ' +
    'A passkey alone signs in without login and password.',
  access: 'public',
  scope: null,
  body: Type.Object(
    {
      login: Type.Optional(
        Type.String({ minLength: 1, maxLength: 254, description: 'Login or email address.' }),
      ),
      password: Type.Optional(Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX })),
      sign_in_token: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Of the first step.' }),
      ),
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'Of the authenticator app, or a recovery code.',
        }),
      ),
      passkey: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'The response of the browser to the options of POST /session/passkey-options.',
        }),
      ),
    },
    { examples: [{ login: 'maya', password: 'nine quiet lanterns' }] },
  ),
  errors: [generalErrors.missingParam, generalErrors.secondFactorRequired, passwordsBusy],
  status: 201,
  response: SessionSchema,
  signsIn: true,
  check(given, errors) {
    const { sign_in_token, code, passkey } = given;
    const isSecondStep = sign_in_token !== undefined && (code ?? passkey) !== undefined;
    if (isSecondStep || (passkey !== undefined && given.login === undefined)) return;
    const needed =
      sign_in_token === undefined ? (['login', 'password'] as const) : ['code' as const];
    for (const name of needed) {
      if (given[name] === undefined && !(name in errors.invalid)) errors.missing.push(name);
    }
  },
  // Verifying a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ site, request }, given) {
    const { user, csrfToken, cookies } = await signInUser(site, given, request);
    return new HttpResponse(toSession(toPerson(user), csrfToken), {
      headers: { 'Set-Cookie': cookies },
    });
  },
});

interface SignedIn {
  readonly user: UserRow;
  readonly csrfToken: string;
  readonly cookies: string[];
}

/** Opens a session for the user that the parameters identify. Throws like `identifyUser`. */
export async function signInUser(
  site: Site,
  given: Identification,
  request: RequestFacts,
): Promise<SignedIn> {
  if (request.fromOtherOrigin) throw new ApiError(generalErrors.forbidden);
  const { user, confirm } = await identifyUser(site, given, request);

  // A correct password is refused too if parallel wrong ones have caused a lock-out.
  request.requireStillThere();
  const session = await site.database.transaction(async (tx) => {
    await confirm(tx);
    return openSession(tx, site, user.id, request);
  });
  const { requestId, address } = request;
  site.log.info({ requestId, user_id: user.id, address }, 'signed in');
  return { user, csrfToken: session.csrfToken, cookies: [session.cookie, session.deviceCookie] };
}
