import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { noteFailedSignIn } from '../security/index.ts';
import {
  findUserByName,
  PASSWORD_LENGTH_MAX,
  passwordsBusy,
  pretendToVerify,
  toPerson,
  verifyPassword,
} from '../users/index.ts';
import { SessionSchema, toSession } from './session-wire.ts';
import { openSession } from './session.ts';

export const signIn = operation({
  method: 'POST',
  namespace: 'site',
  path: '/session',
  summary: 'Sign in',
  description:
    'Sets the session cookie. Every change made with it needs the header X-Svc-CSRF with the ' +
    'csrf_token of this answer.',
  access: 'public',
  scope: null,
  body: Type.Object({
    login: Type.String({ minLength: 1, maxLength: 254, description: 'Login or e-mail address.' }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX }),
  }),
  errors: [passwordsBusy],
  status: 201,
  response: SessionSchema,
  signsIn: true,
  // Verifying a password is slow, so it runs before the transaction.
  transaction: false,
  async handle({ db, site, request }, { login, password }) {
    if (request.fromOtherOrigin) throw new ApiError(generalErrors.forbidden);

    const user = await findUserByName(db, login);
    const right =
      user?.password_hash && user.disabled_at === null
        ? await verifyPassword(password, user.password_hash, request)
        : await pretendToVerify(password, request);
    if (!user || !right) {
      noteFailedSignIn(site, { login, userId: user?.id ?? 0, network: request.network });
      throw new ApiError(generalErrors.unauthorized, {
        message: 'The login or the password is wrong.',
      });
    }

    // A correct password is refused too if parallel wrong ones have caused a lock-out.
    request.requireStillThere();
    const session = await site.database.transaction((tx) =>
      openSession(tx, site, user.id, request),
    );
    const { requestId, address } = request;
    site.log.info({ requestId, user_id: user.id, address }, 'signed in');
    return new HttpResponse(toSession(toPerson(user), session.csrfToken), {
      headers: { 'Set-Cookie': session.cookie },
    });
  },
});
