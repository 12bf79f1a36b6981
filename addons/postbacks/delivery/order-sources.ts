import type { Reader } from '../../../src/db/database.ts';
import { readByNumbers } from '../../../src/db/statements/calls.ts';
import { readOrderSources } from '../../../src/modules/clicks/index.ts';
import { noSubs, orderKey, type OrderValues } from '../postback/order-values.ts';

interface CreditedClick {
  order_id: number;
  coupon_id: number;
  click_id: number | null;
}

const clicksOf = readByNumbers<CreditedClick>((db, isKey) =>
  db.selectFrom('referrals').select(['order_id', 'coupon_id', 'click_id']).where(isKey('order_id')),
);

const codesOf = readByNumbers<{ id: number; code: string }>((db, isKey) =>
  db.selectFrom('coupons').select(['id', 'code']).where(isKey('id')),
);

export interface CreditedOrder {
  readonly orderId: number;
  readonly couponId: number;
}

type Source = Omit<OrderValues, 'order' | 'amount' | 'commission' | 'currency'>;

/** Code, click and sub-ids of orders, read together. */
export async function sourcesOf(
  db: Reader,
  orders: readonly CreditedOrder[],
): Promise<(order: CreditedOrder) => Source> {
  const orderIds = [...new Set(orders.map(({ orderId }) => orderId))];
  const couponIds = [...new Set(orders.map(({ couponId }) => couponId))];
  const [clicks, codes, sources] = await Promise.all([
    clicksOf(db, orderIds),
    codesOf(db, couponIds),
    readOrderSources(db, orderIds),
  ]);
  const clickOf = new Map(
    clicks.map((row) => [orderKey(row.order_id, row.coupon_id), row.click_id]),
  );
  const subsOf = new Map(
    sources.map(({ order_id, coupon_id, sub1, sub2, sub3, sub4, sub5 }) => [
      orderKey(order_id, coupon_id),
      { sub1, sub2, sub3, sub4, sub5 },
    ]),
  );
  const codeOf = new Map(codes.map(({ id, code }) => [id, code]));
  return ({ orderId, couponId }) => {
    const id = orderKey(orderId, couponId);
    const [code, click] = [codeOf.get(couponId) ?? '', clickOf.get(id) ?? null];
    return { id, code, click, ...(subsOf.get(id) ?? noSubs) };
  };
}
