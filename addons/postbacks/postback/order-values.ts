import type { OrderChangeName } from '../tables.ts';

/** What a postback says of an order. Amounts are major units of the store's currency. */
export interface OrderValues {
  /** The same for all that is sent about an order. */
  id: string;
  order: number;
  amount: number;
  commission: number;
  currency: string;
  code: string;
  click: number | null;
  sub1: string;
  sub2: string;
  sub3: string;
  sub4: string;
  sub5: string;
}

/** One change of an order as it is sent. */
export interface OrderMessage {
  readonly values: OrderValues;
  readonly status: OrderChangeName;
  readonly eventId: number;
  readonly occurredAtMs: number;
}

export const noSubs = { sub1: '', sub2: '', sub3: '', sub4: '', sub5: '' };

/** An affiliate may have several coupons in one order. */
export function orderKey(orderId: number, couponId: number): string {
  return `${orderId}-${couponId}`;
}
