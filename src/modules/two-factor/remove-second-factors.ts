import type { Transaction } from '../../db/database.ts';
import { removeCodes } from './recovery-codes.ts';
import { methodsOf } from './two-factor-state.ts';

/** Recovery codes replace a second factor, so they end with the last one. */
export async function removeCodesWithoutFactor(tx: Transaction, userId: number): Promise<void> {
  if ((await methodsOf(tx, userId)).length === 0) await removeCodes(tx, userId);
}
