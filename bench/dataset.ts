import type { Site } from '../src/kernel/site.ts';
import { prepareOrder } from '../src/modules/orders/order-input.ts';
import { storeOrder } from '../src/modules/orders/store-order.ts';

export const COUPONS = 100_000;
const ORDERS_AT_ONCE = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** Coupons straight into the table: only reading them is measured. */
export async function fillCoupons(site: Site, userId: number): Promise<void> {
  await site.database.transaction((tx) =>
    tx.execute(`insert into coupons (code, code_folded, user_id, status, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUPONS})
      select 'CODE' || i, 'code' || i, ${userId}, 'active', ${Date.now()} from n`),
  );
}

/** Orders over a year for the first hundred coupons, a tenth of them for the first one. */
export async function fillOrders(site: Site, count: number): Promise<void> {
  const start = Date.parse('2026-01-01T12:00:00Z');
  for (let done = 0; done < count; done += ORDERS_AT_ONCE) {
    const coupons = new Map();
    await site.database.transaction(async (tx) => {
      for (let i = done; i < Math.min(done + ORDERS_AT_ONCE, count); i++) {
        const order = prepareOrder(site, {
          order_id: i + 1,
          date: new Date(start + (i % 365) * DAY_MS).toISOString().slice(0, 19),
          status: i % 7 === 0 ? 'processing' : 'completed',
          discount: 5,
          shipping: 4,
          tax: 0,
          fees: 0,
          total: 20 + (i % 100),
          coupon_codes: [`code${i % 10 === 0 ? 1 : 2 + (i % 99)}`],
          items: [],
          refunds: [],
        });
        await storeOrder(tx, site, order, { actorId: 0, nowMs: Date.now(), coupons });
      }
    });
  }
}
