import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { payoutRequests } from '../../../src/modules/ledger/index.ts';
import type { AssignedAccount, RequestedAccount } from './payable-accounts.ts';

/** Asks add-ons about a new payout: those that keep it from being paid at once. */
export async function checkRequest(
  tx: Transaction,
  site: Site,
  { user_id, email, approved_id }: AssignedAccount & RequestedAccount,
  nowMs: number,
): Promise<((payoutId: number) => Promise<void>)[]> {
  const checks = site.registry.contributions(payoutRequests);
  const requested = { user_id, email, isFirst: approved_id === null };
  const found = await Promise.all(checks.map((check) => check(tx, site, requested, nowMs)));
  return found.filter((hold) => hold !== undefined);
}
