import type { ProofMethod } from '../sessions/index.ts';
import { verifyAssertion } from './passkeys/verify-passkey.ts';
import { verifyCode } from './verify-code.ts';

/** For `POST /session/proof` and the second step of a sign-in. */
export const codeProof: ProofMethod = {
  parameter: 'code',
  verify: async ({ site, user, value }) =>
    typeof value === 'string' && verifyCode(site, user, value),
};

export const passkeyProof: ProofMethod = {
  parameter: 'passkey',
  verify: async ({ site, user, value }) =>
    (await verifyAssertion(site, value))?.user_id === user.id,
};
