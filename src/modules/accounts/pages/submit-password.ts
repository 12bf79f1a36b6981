import Type from 'typebox';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { operation, type Operation, type RequestFacts } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { openSession } from '../../sessions/index.ts';
import { hashPassword, requireGoodPassword } from '../../users/index.ts';
import { openLink, useLink } from '../account-link.ts';
import { setPassword } from '../set-password.ts';
import { field, firstPageOf, goTo, refuseOtherPages } from './form.ts';
import { linkForm, linkOver, type LinkPage } from './link-page.ts';

type PasswordPage = LinkPage & { purpose: 'reset' | 'invitation' };

function submitPassword(page: PasswordPage, summary: string): Operation<string> {
  return operation({
    method: 'POST',
    namespace: 'site',
    path: `/app/${page.path}`,
    summary,
    access: 'public',
    scope: null,
    body: Type.Object({ token: field, password: field }),
    status: 303,
    otherStatus: 410,
    response: Type.String(),
    signsIn: true,
    // Hashing a password is slow, so it runs before the transaction.
    transaction: false,
    async handle({ db, site, request }, { token, password }) {
      refuseOtherPages(request);
      const opened = await openLink(db, site, page.purpose, token);
      if (!opened) return linkOver(site, request, page);
      try {
        await requireGoodPassword(site, password, opened.user);
        const hash = await hashPassword(password, request);
        const done = await choose(site, request, page, token, hash);
        return done ?? (await linkOver(site, request, page));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { status } = error.definition;
        return linkForm(site, request, page, { token, opened, error: errorOf(error), status });
      }
    },
  });
}

/**
 * An invited user is signed in immediately. After a reset the user signs in with the new password, because the
 * link alone must not replace a second factor.
 */
function choose(
  site: Site,
  request: RequestFacts,
  { purpose }: PasswordPage,
  token: string,
  hash: string,
) {
  return site.database.transaction(async (tx) => {
    const used = await useLink(tx, site, purpose, token);
    if (!used) return undefined;
    const { user } = used;
    await setPassword(tx, site, user, { hash, by: purpose }, site.clock());
    if (purpose === 'reset' || user.password_hash !== null) {
      return goTo('/app/login?notice=password-set');
    }
    const { cookie, deviceCookie } = await openSession(tx, site, user.id, request);
    return goTo(firstPageOf(user.role), [cookie, deviceCookie]);
  });
}

function errorOf({ data, definition: { status } }: ApiError) {
  const { reason } = data;
  if (reason === 'length' || reason === 'common') return reason;
  if (reason === 'personal' || reason === 'pattern') return reason;
  return status === 429 || status === 503 ? 'wait' : 'failed';
}

export const submitReset = submitPassword(
  { purpose: 'reset', path: 'reset' },
  'Choose a new password by form',
);
export const submitInvitation = submitPassword(
  { purpose: 'invitation', path: 'invitation' },
  'Choose the first password by form',
);
