import Type from 'typebox';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { requireProof } from '../../kernel/call/proof.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { isPassword, wrongProof } from '../sessions/index.ts';
import {
  findUser,
  hashPassword,
  holdPassword,
  PASSWORD_LENGTH_MAX,
  passwordsBusy,
  requireGoodPassword,
} from '../users/index.ts';
import { setPassword } from './set-password.ts';

export const changePassword = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/password',
  summary: 'Change your password',
  description:
    'All your other sessions end, and you get an email. Without a password so far, none has to be given; ' +
    'a session then needs a recent proof.',
  access: 'user',
  scope: 'manage',
  proof: 'sometimes',
  whileSuspended: true,
  body: Type.Object(
    {
      current_password: Type.Optional(
        Type.String({
          maxLength: PASSWORD_LENGTH_MAX,
          description: 'The password until now; not needed by a user who has none.',
        }),
      ),
      new_password: Type.String({
        maxLength: PASSWORD_LENGTH_MAX,
        description: 'At least 12 characters; no common one, and nothing of your name or address.',
      }),
    },
    {
      $id: 'ChangePassword',
      examples: [{ current_password: 'nine quiet lanterns', new_password: 'four yellow boats' }],
    },
  ),
  response: Type.Object({ changed: Type.Literal(true) }, { $id: 'ChangedPassword' }),
  errors: [wrongProof, passwordsBusy],
  signsIn: true,
  // Hashing passwords is slow, so it runs before the transaction.
  transaction: false,
  async handle({ db, site, caller, request, nowMs }, { current_password, new_password }) {
    // The caller was identified by its row.
    const user = (await findUser(db, caller.person!.id))!;
    if (user.password_hash === null) requireProof(caller, nowMs);
    else if (current_password === undefined) {
      throw invalidParameter('current_password', 'is required');
    } else if (!(await isPassword(site, { user, password: current_password, caller }, request))) {
      throw new ApiError(wrongProof);
    }
    await requireGoodPassword(site, new_password, user, 'new_password');
    const hash = await hashPassword(new_password, request);
    const except = caller.session?.tokenHash;
    await site.database.transaction(async (tx) => {
      // A reset during the checks wins: the former password changes nothing any more.
      const isCurrent = user.password_hash === null || (await holdPassword(tx, user));
      if (!isCurrent) throw new ApiError(wrongProof);
      await setPassword(tx, site, user, { hash, by: 'password', except }, nowMs);
    });
    return { changed: true as const };
  },
});
