import Type from 'typebox';
import { operation, type RequestFacts } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { openSecondStep, openSession } from '../../sessions/index.ts';
import { renderPage } from '../../web/index.ts';
import { useLink } from '../account-link.ts';
import { linkRequestsOf, takeFromLinkLimit } from '../link-requests.ts';
import { requireSignInLinks } from '../settings.ts';
import { field, firstPageOf, goTo, refuseOtherPages } from './form.ts';
import { loginPage, secondStepPage } from './sign-in-page.ts';

export const askForSignInLink = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/login-link',
  summary: 'Ask for a link by form, to sign in with',
  access: 'public',
  scope: null,
  body: Type.Object({ email: field, next: field }),
  otherStatus: 400,
  response: Type.String(),
  transaction: false,
  async handle({ site, request }, { email, next }) {
    requireSignInLinks(site);
    refuseOtherPages(request);
    await takeFromLinkLimit(site, request.network);
    const address = email.trim();
    if (!isEmailAddress(address)) {
      const invalid = { next, login: '', invalidEmail: address.slice(0, 254) };
      return loginPage(site, request, invalid, 400);
    }
    linkRequestsOf(site).note(address, 'sign-in', request.network);
    return renderPage(site, request, 'link-sent', { email: address, purpose: 'sign-in' });
  },
});

export const submitSignInLink = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/sign-in-link',
  summary: 'Sign in with an emailed link',
  access: 'public',
  scope: null,
  body: Type.Object({ token: field }),
  status: 303,
  otherStatus: 200,
  response: Type.String(),
  signsIn: true,
  transaction: false,
  async handle({ site, request }, { token }) {
    requireSignInLinks(site);
    refuseOtherPages(request);
    request.requireStillThere();
    const result = await signInWith(site, request, token);
    // The page of the link says that it does not work any more.
    if (result === undefined) return goTo('/app/sign-in-link');
    if ('methods' in result) return secondStepPage(site, request, { next: '', ...result });
    const { user, cookies } = result;
    const { requestId, address } = request;
    site.log.info({ requestId, user_id: user.id, address }, 'signed in');
    return goTo(firstPageOf(user.role), cookies);
  },
});

/** The link stands for the password: a second factor is still required, and money needs the password. */
function signInWith(site: Site, request: RequestFacts, token: string) {
  return site.database.transaction(async (tx) => {
    const used = await useLink(tx, site, 'sign-in', token);
    if (!used) return undefined;
    const { user } = used;
    const step = await openSecondStep(tx, site, user.id);
    if (step) return step;
    const options = { isProved: false };
    const { cookie, deviceCookie } = await openSession(tx, site, user.id, request, options);
    return { user, cookies: [cookie, deviceCookie] };
  });
}
