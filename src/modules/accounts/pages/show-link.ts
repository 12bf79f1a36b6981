import Type from 'typebox';
import { operation, type Operation } from '../../../kernel/declare/operation.ts';
import { openLink } from '../account-link.ts';
import { requireSignInLinks } from '../settings.ts';
import { field } from './form.ts';
import { linkForm, linkOver, type LinkPage } from './link-page.ts';

/** Opening the page does not use the link up: mail programs and virus scanners open links too. */
function showLink(page: LinkPage, summary: string): Operation<string> {
  return operation({
    method: 'GET',
    namespace: 'site',
    path: `/app/${page.path}`,
    summary,
    access: 'public',
    scope: null,
    query: Type.Object({ token: field }),
    otherStatus: 410,
    response: Type.String(),
    async handle({ db, site, request }, { token }) {
      if (page.purpose === 'sign-in') requireSignInLinks(site);
      const opened = await openLink(db, site, page.purpose, token);
      return opened
        ? linkForm(site, request, page, { token, opened })
        : linkOver(site, request, page);
    },
  });
}

export const showReset = showLink(
  { purpose: 'reset', path: 'reset' },
  'Show the page to choose a new password',
);
export const showInvitation = showLink(
  { purpose: 'invitation', path: 'invitation' },
  'Show the page to choose the first password',
);
export const showSignInLink = showLink(
  { purpose: 'sign-in', path: 'sign-in-link' },
  'Show the page to sign in with an emailed link',
);
export const showConfirmEmail = showLink(
  { purpose: 'email', path: 'confirm-email' },
  'Show the page to confirm an email address',
);
