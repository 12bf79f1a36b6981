import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { removePasskeys } from './passkeys/passkey-rows.ts';
import { removeCodes } from './recovery-codes.ts';
import { removeTotpRow } from './totp-rows.ts';
import { methodsOf } from './two-factor-state.ts';

/** Recovery codes replace a second factor, so they end with the last one. */
export async function removeCodesWithoutFactor(tx: Transaction, userId: number): Promise<void> {
  if ((await methodsOf(tx, userId)).length === 0) await removeCodes(tx, { user_id: userId });
}

/** For the command line: the way back for a user who has lost everything. */
export async function removeSecondFactors(
  tx: Transaction,
  site: Site,
  user: UserRow,
  nowMs: number,
): Promise<boolean> {
  const isAny = (await methodsOf(tx, user.id)).length > 0;
  await eraseSecondFactors(tx, user.id);
  if (isAny) noteChange(tx, site, user, 'all_removed', { actor: 0, nowMs });
  return isAny;
}

/** Without event and mail: for a user whose data is erased. */
export async function eraseSecondFactors(tx: Transaction, userId: number): Promise<void> {
  await removeTotpRow(tx, { user_id: userId });
  await removePasskeys(tx, { user_id: userId });
  await removeCodes(tx, { user_id: userId });
}
