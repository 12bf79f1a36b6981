import Type from 'typebox';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { EmailAddress } from '../../kernel/declare/schemas.ts';
import { linkRequestsOf, takeFromLinkLimit } from './link-requests.ts';
import { signInByLink } from './settings.ts';

export const linksOff = defineError(
  'svc_api_sign_in_by_link_off',
  409,
  'Sign-in by an emailed link is off (setting accounts.sign_in_by_link).',
);

export const requestSignInLink = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/sign-in-links',
  summary: 'Ask for a link to sign in with',
  description:
    'Needs the setting accounts.sign_in_by_link. If an account has this address, an email with a link is sent ' +
    'that works once and for 15 minutes; at most one in five minutes, three in a day for one network, and one in an ' +
    'hour in any case. The answer is always the ' +
    'same. After the link, a second factor is still required.',
  access: 'public',
  scope: null,
  whileSuspended: true,
  body: Type.Object(
    { email: EmailAddress('The email address of the account.') },
    { $id: 'RequestSignInLink', examples: [{ email: 'maya@example.com' }] },
  ),
  status: 202,
  response: Type.Object({ accepted: Type.Literal(true) }, { $id: 'RequestedSignInLink' }),
  errors: [linksOff],
  transaction: false,
  async handle({ site, request }, { email }) {
    if (!site.settings.get(signInByLink)) throw new ApiError(linksOff);
    await takeFromLinkLimit(site, request.network);
    linkRequestsOf(site).note(email, 'sign-in', request.network);
    return { accepted: true as const };
  },
});
