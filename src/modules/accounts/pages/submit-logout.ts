import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { clearCookie, cookieName, endSession } from '../../sessions/index.ts';
import { goTo, refuseOtherPages } from './form.ts';

export const submitLogout = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/logout',
  summary: 'Sign out by form',
  access: 'public',
  scope: null,
  status: 303,
  response: Type.String(),
  async handle({ db, site, request }) {
    refuseOtherPages(request);
    const token = request.cookie(cookieName(request.secure));
    if (token !== undefined) await endSession(db, site, token);
    return goTo('/app/login?notice=signed-out', [clearCookie(request.secure)]);
  },
});
