import Type from 'typebox';
import { ApiError, defineError } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Nullable } from '../../../kernel/declare/schemas.ts';
import { findUser } from '../../users/index.ts';
import { noteChange } from '../note-change.ts';
import { RecoveryCodes } from '../recovery-codes-wire.ts';
import { renewCodes } from '../recovery-codes.ts';
import { methodsOf } from '../two-factor-state.ts';
import { findPasskey, insertPasskey, listPasskeyRows } from './passkey-rows.ts';
import { AttestationSchema, PasskeyName, PasskeySchema, toPasskey } from './passkey-wire.ts';
import { passkeysUnavailable } from './relying-party.ts';
import { verifyAttestation } from './verify-passkey.ts';

const PASSKEYS_MAX = 20;

export const passkeyRefused = defineError(
  'svc_api_passkey_refused',
  400,
  'The response of the browser is not valid for these options. Ask for new options and try again.',
);

export const tooManyPasskeys = defineError(
  'svc_api_too_many_passkeys',
  409,
  `There are ${PASSKEYS_MAX} passkeys already: remove one first.`,
);

export const addPasskey = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/passkeys',
  summary: 'Add a passkey',
  description:
    'From now on a sign-in with the password needs a second step. With the first second factor the response contains ' +
    'recovery codes, which are shown only here.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  beforeSecondFactor: true,
  secretAnswer: true,
  body: Type.Object(
    {
      name: PasskeyName,
      response: AttestationSchema,
    },
    { $id: 'AddPasskey' },
  ),
  example: {
    body: {
      name: 'Phone',
      response: {
        id: 'rT3oCwyJ2hHKzDsYS3bXXw',
        type: 'public-key',
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
          attestationObject: 'o2Nm',
        },
      },
    },
  },
  status: 201,
  response: Type.Object(
    {
      passkey: PasskeySchema,
      recovery_codes: Nullable(RecoveryCodes),
    },
    { $id: 'AddedPasskey' },
  ),
  errors: [passkeyRefused, tooManyPasskeys, passkeysUnavailable],
  // Verifying uses up the challenge even if the response is refused.
  transaction: false,
  async handle({ site, caller, nowMs }, { name, response }) {
    const userId = caller.person!.id;
    const credential = await verifyAttestation(site, userId, response);
    if (!credential) throw new ApiError(passkeyRefused);
    return site.database.transaction(async (tx) => {
      await tx.lock(`passkeys ${userId}`);
      const user = (await findUser(tx, userId))!;
      if ((await listPasskeyRows(tx, { user_id: userId })).length >= PASSKEYS_MAX) {
        throw new ApiError(tooManyPasskeys);
      }
      if (await findPasskey(tx, { credential_id: credential.credentialId }))
        throw new ApiError(passkeyRefused);
      const isFirst = (await methodsOf(tx, userId)).length === 0;
      const row = await insertPasskey(tx, {
        user_id: userId,
        name,
        credential_id: credential.credentialId,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: JSON.stringify(response.response.transports ?? []),
        created_at: nowMs,
      });
      noteChange(tx, site, user, 'passkey_added', { actor: userId, nowMs });
      const codes = isFirst ? await renewCodes(tx, site, userId) : null;
      return { passkey: toPasskey(row, site), recovery_codes: codes };
    });
  },
});
