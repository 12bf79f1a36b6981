import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { readUnsubscribeToken, unsubscriptions } from '../mail/index.ts';
import { withChoices } from '../profile/index.ts';
import { findUser, saveProfile } from '../users/index.ts';
import { renderPage } from '../web/index.ts';
import { headers, tokenParams } from './show-unsubscribe.ts';

const BODY_BYTES_MAX = 4_096;

export const submitUnsubscribe = operation({
  method: 'POST',
  namespace: 'site',
  path: '/unsubscribe/{token}',
  summary: 'Unsubscribe with one click',
  description:
    'Sent by email programs (RFC 8058) and by the page. Switches off the notice of the email; emails about money and ' +
    'the account are not concerned. The token alone decides: no sign-in, no cookie.',
  access: 'public',
  scope: null,
  params: tokenParams,
  // `List-Unsubscribe=One-Click`, as a form of either media type.
  rawBody: { bytesMax: BODY_BYTES_MAX },
  otherStatus: 404,
  response: Type.String(),
  async handle({ db, site, request }, { token }) {
    const found = readUnsubscribeToken(site, token);
    if (!found) {
      return renderPage(site, request, 'unsubscribe-unknown', {}, { status: 404, headers });
    }
    const user = await findUser(db, found.userId);
    const muted_notices = user && withChoices(user, { [found.notice]: false });
    if (user && muted_notices !== undefined && muted_notices !== user.muted_notices) {
      await saveProfile(db, { ...user, muted_notices });
      for (const count of site.registry.contributions(unsubscriptions)) {
        await count(db, site, found);
      }
    }
    return renderPage(site, request, 'unsubscribe', { token, isDone: true }, { headers });
  },
});
