import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import { inheritOrderSource } from '../../clicks/index.ts';
import type { FirstReferral } from '../credited-referral.ts';

class PendingRenewals implements PendingWrites {
  readonly rows: { order_id: number; first_order_id: number; coupon_id: number }[] = [];

  async flush(tx: Transaction): Promise<void> {
    for (const row of this.rows) await inheritOrderSource(tx, row);
  }
}

/** After the sources of orders: the order that is renewed may be one of the same transaction. */
const renewals = defineWrites({
  name: 'renewed sources',
  after: 'attribution',
  create: () => new PendingRenewals(),
});

/**
 * A renewal has the sub-ids and the creative of the order that it renews: it is a sale of the same link. It converts no
 * click, because the click led to one order. Orders without a click before them take no statement more.
 */
export function inheritSource(tx: Transaction, orderId: number, first: FirstReferral): void {
  if (first.click_id === null) return;
  const { order_id: first_order_id, coupon_id } = first;
  tx.pending(renewals).rows.push({ order_id: orderId, first_order_id, coupon_id });
}
