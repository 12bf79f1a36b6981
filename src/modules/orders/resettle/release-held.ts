import type { Job } from '../../../kernel/declare/job.ts';
import { lockManyOrders } from '../order-locks.ts';
import { listDue } from '../order-rows.ts';
import { beginSettlement } from '../settle-referral.ts';

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
