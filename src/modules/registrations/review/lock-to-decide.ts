import type { Transaction } from '../../../db/database.ts';
import { requireFound } from '../../../kernel/declare/errors.ts';
import { requireTransition } from '../decision.ts';
import { findRegistration, type RegistrationRow } from '../registration-rows.ts';
import type { RegistrationStatus } from '../tables.ts';

/** Locks an application until the transaction ends, so that one of several concurrent decisions succeeds. */
export async function lockToDecide(
  tx: Transaction,
  id: number,
  status: RegistrationStatus,
): Promise<RegistrationRow> {
  await lockApplication(tx, id);
  const row = requireFound(await findRegistration(tx, id));
  requireTransition(row.status, status);
  return row;
}

export function lockApplication(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`registration ${id}`);
}
