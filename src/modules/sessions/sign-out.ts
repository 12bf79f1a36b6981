import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { clearCookie, cookieName, endSession } from './session.ts';

export const signOut = operation({
  method: 'DELETE',
  namespace: 'site',
  path: '/session',
  summary: 'Sign out',
  access: 'user',
  scope: null,
  beforeSecondFactor: true,
  whileSuspended: true,
  response: Type.Object({ signed_out: Type.Literal(true) }),
  async handle({ db, site, caller, request }) {
    const token = request.cookie(cookieName(request.secure));
    if (token === undefined) throw new ApiError(generalErrors.unauthorized);
    await endSession(db, site, token);
    const { requestId, address } = request;
    site.log.info({ requestId, user_id: caller.person?.id, address }, 'signed out');
    return new HttpResponse(
      { signed_out: true as const },
      {
        headers: {
          'Set-Cookie': clearCookie(request.secure),
          // Clears pages that the browser has cached.
          'Clear-Site-Data': '"cache", "storage"',
        },
      },
    );
  },
});
