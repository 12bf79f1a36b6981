import type { OrderInput } from '../order-fields.ts';
import { foldCodes, foldOrderCode, type PreparedOrder } from '../order-input.ts';
import type { OrderRow } from '../order-store.ts';

/** What of an order may still lead to a coupon: only what the order did not have before. */
export interface NewToOrder {
  readonly codes: readonly string[];
  readonly click: boolean;
  readonly visitor: boolean;
  readonly referralCode: boolean;
  readonly customer: boolean;
}

/**
 * A known order stays with the coupons it was credited to, whatever has become of their codes since,
 * and a code, click, visitor or customer that led nowhere when it came is not looked up again: an old
 * order never credits a coupon that was created or enabled later.
 */
export function newToOrder(
  order: PreparedOrder,
  known: OrderRow | undefined,
  /** The codes of the coupons that the order was ever credited to. */
  creditedCodes: readonly (string | undefined)[],
): NewToOrder {
  if (!known) {
    return { codes: order.codes, click: true, visitor: true, referralCode: true, customer: true };
  }
  return {
    codes: newCodes(order, known, creditedCodes),
    click: order.clickId !== known.click_id,
    visitor: order.visitorHash !== known.visitor_hash,
    referralCode: !isSameCode(order.referralCode, known.referral_code),
    customer: order.customerHash !== known.customer_hash,
  };
}

function newCodes(
  order: PreparedOrder,
  known: OrderRow,
  creditedCodes: readonly (string | undefined)[],
): string[] {
  const codes = order.codes.filter((code) => !creditedCodes.includes(code));
  // Most changes bring no other code: their content need not be parsed.
  if (codes.length === 0) return codes;
  const earlier = JSON.parse(known.content) as Pick<OrderInput, 'coupon_codes'>;
  const earlierCodes = foldCodes(earlier.coupon_codes);
  return codes.filter((code) => !earlierCodes.includes(code));
}

function isSameCode(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return foldOrderCode(one) === foldOrderCode(other);
}
