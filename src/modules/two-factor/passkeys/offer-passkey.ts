import { operation } from '../../../kernel/declare/operation.ts';
import { saveChallenge } from './challenge-rows.ts';
import { listPasskeyRows } from './passkey-rows.ts';
import { PasskeyOptions } from './passkey-wire.ts';
import { ALGORITHMS, passkeysUnavailable, relyingPartyOf } from './relying-party.ts';
import { userHandleOf } from './verify-passkey.ts';

export const offerPasskey = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/passkeys/options',
  summary: 'Get the options for a new passkey',
  description:
    'For navigator.credentials.create. The challenge is valid for five minutes and once. The passkey is stored on ' +
    'the device together with the user, so that it signs in without a login.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  beforeSecondFactor: true,
  response: PasskeyOptions,
  example: { response: { rp: { id: 'partners.store.example', name: 'Store' } } },
  errors: [passkeysUnavailable],
  async handle({ db, site, caller, nowMs }) {
    const { id, login, displayName } = caller.person!;
    const party = relyingPartyOf(site);
    const known = await listPasskeyRows(db, { user_id: id });
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpID: party.id,
      rpName: party.name,
      userID: userHandleOf(id),
      userName: login,
      userDisplayName: displayName,
      supportedAlgorithmIDs: [...ALGORITHMS],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    });
    await saveChallenge(db, site, options.challenge, id, nowMs);
    return { ...options };
  },
});
