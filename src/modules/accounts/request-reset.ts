import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { EmailAddress } from '../../kernel/declare/schemas.ts';
import { linkRequestsOf, takeFromLinkLimit } from './link-requests.ts';

export const requestReset = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/password-resets',
  summary: 'Ask for a link to choose a new password',
  description:
    'If an account has this address, an email with a link is sent that works once and for one hour; at most one ' +
    'in five minutes, three in a day for one network, and one in an hour in any case. The answer is always the same.',
  access: 'public',
  scope: null,
  whileSuspended: true,
  body: Type.Object(
    { email: EmailAddress('The email address of the account.') },
    { $id: 'RequestPasswordReset', examples: [{ email: 'maya@example.com' }] },
  ),
  status: 202,
  response: Type.Object({ accepted: Type.Literal(true) }, { $id: 'RequestedPasswordReset' }),
  transaction: false,
  async handle({ site, request }, { email }) {
    await takeFromLinkLimit(site, request.network);
    linkRequestsOf(site).note(email, 'reset', request.network);
    return { accepted: true as const };
  },
});
