import type { OrderInput } from './order-fields.ts';
import { foldCodes, type PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-store.ts';

/** What of an order may still lead to a coupon: only what the order did not have before. */
export interface NewToOrder {
  readonly codes: readonly string[];
  readonly click: boolean;
  readonly customer: boolean;
}

/**
 * A known order stays with the coupons it was credited to, whatever has become of their codes since,
 * and a code, click or customer that led nowhere when it came is not looked up again: an old order
 * never credits a coupon that was created or enabled later.
 */
export function newToOrder(
  order: PreparedOrder,
  known: OrderRow | undefined,
  /** The codes of the coupons that the order was ever credited to. */
  creditedCodes: readonly (string | undefined)[],
): NewToOrder {
  if (!known) return { codes: order.codes, click: true, customer: true };
  const isCredited = creditedCodes.length > 0;
  const codes = order.codes.filter((code) => !creditedCodes.includes(code));
  // Most changes bring neither a code nor a click: their content need not be parsed.
  if (codes.length === 0 && (isCredited || order.clickId === null)) {
    return { codes, click: false, customer: isNewCustomer(order, known) };
  }
  const earlier = JSON.parse(known.content) as Pick<OrderInput, 'coupon_codes' | 'click_id'>;
  const earlierCodes = foldCodes(earlier.coupon_codes);
  return {
    codes: codes.filter((code) => !earlierCodes.includes(code)),
    click: order.clickId !== (earlier.click_id ?? null),
    customer: isNewCustomer(order, known),
  };
}

function isNewCustomer(order: PreparedOrder, known: OrderRow): boolean {
  return order.customerHash !== known.customer_hash;
}
