import type { Transaction } from '../../db/database.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { listOwners } from '../coupons/index.ts';
import { bonusList } from './bonus-list.ts';
import { checkAffiliates } from './check-affiliates.ts';
import { addCheck, deleteChecks, listDueChecks, type Check } from './check-rows.ts';
import { listDuePayments } from './payment-rows.ts';

const AT_ONCE_MAX = 100;

/**
 * Pays bonuses that were reached, takes back held ones that no longer are, and makes those payable whose delay has
 * passed. What it has to check was committed with the orders, and is removed in the transaction that pays: a process
 * that is killed leaves it to the next one. The lock and the key of the payments keep two of them from paying twice.
 */
export const checkBonuses: Job = {
  name: 'bonuses.check',
  everyMs: 5_000,
  runsOn: 'one',
  async run(site) {
    if (site.settings.get(bonusList.version) === 0) return;
    const run = () =>
      site.database.transaction(async (tx) => {
        await tx.lock('bonuses');
        return runChecks(tx, site, site.clock());
      });
    while (await run());
  },
};

/** Resolves to whether there was something to check. */
async function runChecks(tx: Transaction, site: Site, nowMs: number): Promise<boolean> {
  const [checks, payments] = [
    await listDueChecks(tx, { now: nowMs, limit: AT_ONCE_MAX }),
    await listDuePayments(tx, { now: nowMs, limit: AT_ONCE_MAX }),
  ];
  if (checks.length + payments.length === 0) return false;
  const days = await daysByAffiliate(tx, checks);
  for (const { user_id } of payments) if (!days.has(user_id)) days.set(user_id, new Set());
  await checkAffiliates(tx, site, days, nowMs);
  await deleteChecks(tx, checks);
  return true;
}

/** Whose bonuses to check, for which days. */
async function daysByAffiliate(
  tx: Transaction,
  due: readonly Check[],
): Promise<Map<number, Set<string>>> {
  const days = new Map<number, Set<string>>();
  const add = (userId: number, day: string) =>
    days.set(userId, (days.get(userId) ?? new Set()).add(day));
  for (const check of due) {
    if (check.kind === 'affiliate') add(check.object_id, check.day);
    else for (const { user_id } of await nextOfAll(tx, check)) add(user_id, check.day);
  }
  return days;
}

/** The next of all affiliates; the others get another check. */
async function nextOfAll(tx: Transaction, { kind, object_id, day, due_at }: Check) {
  const owners = await listOwners(tx, { after: object_id, limit: AT_ONCE_MAX });
  if (owners.length === AT_ONCE_MAX) {
    addCheck(tx, { kind, object_id: owners.at(-1)!.user_id, day, due_at });
  }
  return owners;
}
