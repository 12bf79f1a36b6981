import { percent } from './days.ts';

/** A day of an affiliate: the orders placed on it, and how many of them have been refunded since. */
export interface RefundDay {
  readonly orders: number;
  readonly refunded: number;
}

export interface RefundOptions {
  readonly share: number;
  readonly orders: number;
}

interface RefundFigures {
  readonly refunded: number;
  readonly orders: number;
  readonly share: number;
}

/** As far back as orders are looked for. */
export const REFUND_DAYS = 90;
const LAST_ORDERS = 30;
/** Refunds come weeks after their orders: the last 30 orders of a busy week would have none yet. */
const LAST_DAYS = 28;

/**
 * Whether too many of the last orders were refunded: the last 30, or those of the last 28 days if they are more.
 * `days` are in order, without gaps.
 */
export function manyRefunds(
  days: readonly RefundDay[],
  { share: bound, orders: minimum }: RefundOptions,
): RefundFigures | undefined {
  let orders = 0;
  let refunded = 0;
  for (const [age, day] of days.slice(-REFUND_DAYS).toReversed().entries()) {
    if (age >= LAST_DAYS && orders >= LAST_ORDERS) break;
    orders += day.orders;
    refunded += day.refunded;
  }
  const share = refunded / Math.max(orders, 1);
  if (orders < minimum || share <= bound) return undefined;
  return { refunded, orders, share: percent(share) };
}
