import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { NO_USER, saveChallenge } from './challenge-rows.ts';
import { PasskeyOptions } from './passkey-wire.ts';
import { passkeysUnavailable, relyingPartyOf } from './relying-party.ts';

export const offerSignIn = operation({
  method: 'POST',
  namespace: 'site',
  path: '/session/passkey-options',
  summary: 'Get the options for signing in with a passkey',
  description:
    'For navigator.credentials.get. The challenge is valid for five minutes and once, for POST /session or ' +
    'POST /session/proof.',
  access: 'public',
  scope: null,
  response: PasskeyOptions,
  example: { response: { rpId: 'partners.store.example', userVerification: 'required' } },
  errors: [passkeysUnavailable],
  async handle({ db, site, request, nowMs }) {
    if (request.fromOtherOrigin) throw new ApiError(generalErrors.forbidden);
    const { id: rpID } = relyingPartyOf(site);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
    await saveChallenge(db, site, options.challenge, NO_USER, nowMs);
    return { ...options };
  },
});
