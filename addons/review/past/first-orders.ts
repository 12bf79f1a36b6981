import { readByNumbers } from '../../../src/db/statements/calls.ts';
import { firstOrdersOf } from '../../../src/modules/coupons/index.ts';
import { pagesOfEarners, type LookBack } from './look-back.ts';

const totalsOf = readByNumbers<{ order_id: number; total: number }>((db, isKey) =>
  db.selectFrom('orders').select(['order_id', 'total']).where(isKey('order_id')),
);

/** The first order of an affiliate, of all their coupons, if it is above the amount. */
export const lookForFirstOrders: LookBack = async ({ site, sinceMs, options }, found) => {
  const { read } = site.database;
  const bound = site.currency.toMinor(options.first_order_above.amount) ?? 0;
  for await (const earners of pagesOfEarners(read)) {
    const ids = earners.map(({ id }) => id);
    const ofAccounts = (await firstOrdersOf(read, ids)).sort((a, b) => b.placed_at - a.placed_at);
    const firsts = new Map(ofAccounts.map((order) => [order.user_id, order]));
    const recent = [...firsts.values()].filter(({ placed_at }) => placed_at >= sinceMs);
    const orderIds = [...new Set(recent.map(({ order_id }) => order_id))];
    const totals = new Map(
      (await totalsOf(read, orderIds)).map(({ order_id, total }) => [order_id, total]),
    );
    for (const order of recent) if (totals.get(order.order_id)! > bound) found.add(order);
  }
};
