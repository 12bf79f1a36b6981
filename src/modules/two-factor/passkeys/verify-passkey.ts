import type { RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import type { Site } from '../../../kernel/declare/site.ts';
import { NO_USER, takeChallenge } from './challenge-rows.ts';
import { findPasskey, usePasskeyRow, type PasskeyRow } from './passkey-rows.ts';
import { toAssertion, type Attestation } from './passkey-wire.ts';
import { ALGORITHMS, relyingPartyOf } from './relying-party.ts';

/** Loaded on demand: its parsers of certificates take some megabytes, and most requests need none. */
const library = () => import('@simplewebauthn/server');

/**
 * The passkey that signed a response; undefined if the response is not valid. Its challenge is used up
 * either way. The user must have been verified by the authenticator, so a passkey is two factors.
 */
export async function verifyAssertion(site: Site, value: unknown): Promise<PasskeyRow | undefined> {
  const response = toAssertion(value);
  const challenge = response && challengeIn(response.response.clientDataJSON);
  if (!response || challenge === undefined) return undefined;
  const party = relyingPartyOf(site);
  const nowMs = site.clock();
  const isOurs = await site.database.transaction((tx) =>
    takeChallenge(tx, site, challenge, NO_USER, nowMs),
  );
  const passkey = isOurs
    ? await findPasskey(site.database.read, { credential_id: response.id })
    : undefined;
  if (!passkey || !isHandleOf(passkey, response.response.userHandle)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const counter = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: toCredential(passkey),
    requireUserVerification: true,
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo.newCounter : undefined),
    // The library throws for a response that is not valid, and this is one.
    () => undefined,
  );
  if (counter === undefined) return undefined;
  const isUsed = await site.database.transaction((tx) =>
    usePasskeyRow(tx, { id: passkey.id, counter, now: nowMs }),
  );
  return isUsed ? passkey : undefined;
}

export interface VerifiedCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** The new credential in a response to the options of `userId`; undefined if the response is not valid. */
export async function verifyAttestation(
  site: Site,
  userId: number,
  attestation: Attestation,
): Promise<VerifiedCredential | undefined> {
  const challenge = challengeIn(attestation.response.clientDataJSON);
  if (challenge === undefined) return undefined;
  const party = relyingPartyOf(site);
  const isOurs = await site.database.transaction((tx) =>
    takeChallenge(tx, site, challenge, userId, site.clock()),
  );
  if (!isOurs) return undefined;
  const response: RegistrationResponseJSON = {
    id: attestation.id,
    rawId: attestation.id,
    type: 'public-key',
    response: attestation.response,
    clientExtensionResults: {},
  };
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
    };
  } catch {
    // The library throws for a response that is not valid.
    return undefined;
  }
}

/** The user handle of a passkey, which authenticators return: the id of the user, not its name. */
export function userHandleOf(userId: number): Buffer<ArrayBuffer> {
  return Buffer.from(`user ${userId}`);
}

function isHandleOf(passkey: PasskeyRow, handle: string | undefined): boolean {
  return handle === undefined || handle === userHandleOf(passkey.user_id).toString('base64url');
}

function toCredential(passkey: PasskeyRow): WebAuthnCredential {
  return {
    id: passkey.credential_id,
    publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
    counter: passkey.counter,
  };
}

/** The challenge that the browser says it has answered. The signature covers it. */
function challengeIn(clientDataJson: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
    const { challenge } = data as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
