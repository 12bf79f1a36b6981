import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { listAdministrators } from '../../../modules/users/index.ts';
import { PayoutNews } from '../payout-news.ts';
import type { PayoutRow } from '../payout-store.ts';

/** Tells the administrators, by mail and in the log, of a payout that only they can decide. */
export async function reportUnclear(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  nowMs: number,
): Promise<void> {
  const { id, method_type, pay_attempts, unclear_reason } = payout;
  const news = new PayoutNews(tx, site);
  news.askForDecision(payout, await listAdministrators(tx), nowMs);
  tx.afterCommit(() =>
    site.log.error(
      { payout_id: id, gateway: method_type, attempts: pay_attempts, reason: unclear_reason },
      'a payout may have been paid or not: look it up at the gateway, then resolve it ' +
        `(POST /svc/store/v1/payouts/${id}/resolve)`,
    ),
  );
}
