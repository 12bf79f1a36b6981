import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { renderPage } from '../../web/index.ts';
import { linkRequestsOf, takeFromLinkLimit } from '../link-requests.ts';
import { field, refuseOtherPages } from './form.ts';

export const submitForgot = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/forgot',
  summary: 'Ask for a link by form, to choose a new password',
  access: 'public',
  scope: null,
  body: Type.Object({ email: field }),
  otherStatus: 400,
  response: Type.String(),
  transaction: false,
  async handle({ site, request }, { email }) {
    refuseOtherPages(request);
    await takeFromLinkLimit(site, request.network);
    const address = email.trim();
    if (!isEmailAddress(address)) {
      const props = { email: address.slice(0, 254), isInvalid: true };
      return renderPage(site, request, 'forgot', props, { status: 400 });
    }
    linkRequestsOf(site).note(address, 'reset', request.network);
    return renderPage(site, request, 'link-sent', { email: address, purpose: 'reset' });
  },
});
