import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { needsInvitation } from '../accounts/index.ts';
import { findUser } from '../users/index.ts';
import { renderPage } from '../web/index.ts';
import { findRegistration } from './registration-rows.ts';
import { applicationIn, StatusToken } from './status-token.ts';

export const showApplicationStatus = operation({
  method: 'GET',
  namespace: 'site',
  path: '/apply/status',
  summary: 'Show the status of an application',
  description: 'Shows the decision, not what the applicant entered. The link is in the email.',
  access: 'public',
  scope: null,
  query: Type.Object({
    token: StatusToken,
    sent: Type.Optional(Type.Literal('1', { description: 'The invitation was requested again.' })),
  }),
  response: Type.String(),
  errors: [generalErrors.notFound],
  async handle({ db, site, request }, { token, sent }) {
    const headers = { 'Cache-Control': 'no-store' };
    const id = applicationIn(site, token);
    const row = id === undefined ? undefined : await findRegistration(db, id);
    if (!row) {
      const options = { status: 404, headers };
      return renderPage(site, request, 'apply-status-unknown', {}, options);
    }
    const { status, message } = row;
    const user = status === 'accepted' ? await findUser(db, row.user_id) : undefined;
    const props = {
      status,
      message,
      date: site.calendar.toLocal(row.created_at),
      decided: site.calendar.toLocal(row.accepted_at ?? row.declined_at),
      couponCode: row.coupon_code,
      ...(user && needsInvitation(user) && { invitation: { token, isSent: sent === '1' } }),
    };
    return renderPage(site, request, 'apply-status', props, { headers });
  },
});
