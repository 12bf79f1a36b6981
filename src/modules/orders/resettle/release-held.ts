import type { Job } from '../../../kernel/declare/job.ts';
import { listDue } from '../order-rows.ts';
import { beginSettlement } from '../settle-referral.ts';
import { lockManyOrders } from '../order-locks.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { updateInBatches } from '../../../db/statements/in-batches.ts';
import { instant } from '../../../db/statements/instants.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { UNTIL_DECIDED } from '../restraints.ts';
import { DELAY_MS_MAX } from '../settings.ts';

const AT_ONCE_MAX = 100;

/** Grants commissions whose delay has passed. */
export const releaseHeld: Job = {
  name: 'orders.release-held',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    for (;;) {
      const released = await site.database.transaction(async (tx) => {
        await lockManyOrders(tx);
        const nowMs = site.clock();
        const due = await listDue(tx, { now: nowMs, limit: AT_ONCE_MAX });
        const settlement = await beginSettlement(tx, site, {
          orderIds: new Set(due.map((referral) => referral.order_id)),
          affiliateIds: new Set(),
        });
        for (const referral of due) {
          const granted = { ...referral, state: 'granted' as const };
          settlement.settle(referral, granted, undefined, { actorId: 0, nowMs });
        }
        return due.length;
      });
      if (released < AT_ONCE_MAX) return;
    }
  },
};

/** A time after the latest possible one. What a person decides about has no time. */
export function tooLate(latest: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`release_at > ${latest} and release_at < ${sql.lit(UNTIL_DECIDED)}`;
}

const shorten = updateInBatches<{ now: number }>('referrals', 'order_id', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(DELAY_MS_MAX)}`;
  return { set: sql`release_at = ${latest}`, where: tooLate(latest) };
});

/**
 * Limits held commissions to the longest delay that can be set. The delay is in calendar days, of the setting
 * as it was, so this does not correct differences of an hour.
 */
export function correctReleases({ database }: Site, now: number): Promise<void> {
  return shorten(database, { now });
}
