import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import { Answer, operation } from '../../kernel/operation.ts';
import { removeSession } from './session-store.ts';
import { clearCookie, cookieName, hashSession } from './session.ts';

export const signOut = operation({
  method: 'DELETE',
  namespace: 'site',
  path: '/session',
  summary: 'Sign out',
  access: 'user',
  scope: null,
  response: Type.Object({ signed_out: Type.Literal(true) }),
  async handle({ db, site, request }) {
    const token = request.cookie(cookieName(request.secure));
    if (token === undefined) throw new ApiError(generalErrors.unauthorized);
    await removeSession(db, hashSession(site, token));
    db.afterCommitEverywhere(() => site.forgetCallers());
    return new Answer(
      { signed_out: true },
      { headers: { 'Set-Cookie': clearCookie(request.secure) } },
    );
  },
});
