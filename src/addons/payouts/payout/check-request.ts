import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { payoutRequests } from '../../../modules/ledger/index.ts';
import type { AssignedAccount } from './payable-accounts.ts';
import { findApproved } from './payout-rows.ts';

/** Asks add-ons about a new payout: those that keep it from being paid at once. */
export async function checkRequest(
  tx: Transaction,
  site: Site,
  { user_id }: AssignedAccount,
  nowMs: number,
): Promise<((payoutId: number) => Promise<void>)[]> {
  const checks = site.registry.contributions(payoutRequests);
  if (checks.length === 0) return [];
  const isFirst = (await findApproved(tx, { user_id })) === undefined;
  const found = await Promise.all(
    checks.map((check) => check(tx, site, { user_id, isFirst }, nowMs)),
  );
  return found.filter((hold) => hold !== undefined);
}
