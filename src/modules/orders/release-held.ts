import type { Job } from '../../kernel/job.ts';
import { FigureChanges } from './figures.ts';
import { listDue } from './order-store.ts';
import { settleReferral } from './settle-referral.ts';

const AT_ONCE_MAX = 100;

/** Grants commissions that have been held back for their days. */
export const releaseHeld: Job = {
  name: 'orders.release-held',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    for (;;) {
      const released = await site.database.transaction(async (tx) => {
        const nowMs = site.clock();
        const due = await listDue(tx, nowMs, AT_ONCE_MAX);
        const figures = new FigureChanges();
        for (const referral of due) {
          const granted = { ...referral, state: 'granted' };
          const settled = await settleReferral(tx, site, referral, granted, undefined, {
            actorId: 0,
            nowMs,
          });
          figures.moveCoupon(referral, settled);
        }
        await figures.write(tx, site);
        return due.length;
      });
      if (released < AT_ONCE_MAX) return;
    }
  },
};
