import type { Site } from '../../kernel/declare/site.ts';
import type { ProofMethod } from '../sessions/index.ts';
import type { UserRow } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { verifyAssertion } from './passkeys/verify-passkey.ts';
import { takeCode } from './recovery-codes.ts';
import { findTotp, readSecret, useTotpStep } from './totp-rows.ts';
import { stepOf } from './totp.ts';

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

/** Verifies a code of the authenticator app, or a recovery code, and uses it up. */
async function verifyCode(site: Site, user: UserRow, code: string): Promise<boolean> {
  return (await isTotp(site, user.id, code)) || isRecoveryCode(site, user, code);
}

async function isTotp(site: Site, userId: number, code: string): Promise<boolean> {
  const row = await findTotp(site.database.read, { user_id: userId });
  if (!row || row.confirmed_at === null) return false;
  const step = stepOf(readSecret(site, row), code, site.clock());
  if (step === undefined) return false;
  return site.database.transaction((tx) => useTotpStep(tx, { ...row, step }));
}

function isRecoveryCode(site: Site, user: UserRow, code: string): Promise<boolean> {
  const nowMs = site.clock();
  return site.database.transaction(async (tx) => {
    const isTaken = await takeCode(tx, site, user.id, code);
    if (isTaken) noteChange(tx, site, user, 'recovery_code_used', { actor: user.id, nowMs });
    return isTaken;
  });
}
