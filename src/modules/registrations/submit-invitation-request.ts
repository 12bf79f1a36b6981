import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { inviteAgain } from '../accounts/index.ts';
import { findUser } from '../users/index.ts';
import { findRegistration } from './registration-rows.ts';
import { applicationIn, StatusToken } from './status-token.ts';

export const submitInvitationRequest = operation({
  method: 'POST',
  namespace: 'site',
  path: '/apply/status',
  summary: 'Ask for the invitation again',
  description:
    'For an accepted applicant without a password. At most one email in five minutes and six in a day, then one in an hour; the ' +
    'answer is the same whether an email is sent or not.',
  access: 'public',
  scope: null,
  body: Type.Object({ token: StatusToken }),
  status: 303,
  response: Type.String(),
  errors: [generalErrors.forbidden],
  async handle({ db, site, request, nowMs }, { token }) {
    if (request.fromOtherOrigin) throw new ApiError(generalErrors.forbidden);
    const id = applicationIn(site, token);
    const row = id === undefined ? undefined : await findRegistration(db, id);
    const user = row?.status === 'accepted' ? await findUser(db, row.user_id) : undefined;
    if (user) await inviteAgain(db, site, user, nowMs);
    const query = new URLSearchParams({ token, sent: '1' }).toString();
    const Location = `/apply/status?${query}`;
    return new HttpResponse('', {
      status: 303,
      headers: { Location, 'Cache-Control': 'no-store' },
    });
  },
});
