import type { OrderInput } from '../order-fields.ts';
import { foldCodes, foldOrderCode, type PreparedOrder } from '../order-input.ts';
import type { OrderRow } from '../order-rows.ts';

/** The fields of an order that may lead to a coupon; null for one that is not asked. */
export type LeadingFields = Pick<
  PreparedOrder,
  'codes' | 'clickId' | 'visitorHash' | 'referralCode'
>;

/**
 * The fields that a version of a decided order adds or changes. It stays with the coupons it was credited to, even if their
 * codes have changed since. A code, click or visitor that led to no coupon when it was decided is not looked up again: an
 * old order never credits a coupon that was created or enabled later.
 */
export function newFields(
  order: PreparedOrder,
  known: OrderRow,
  /** The codes of the coupons that the order was ever credited to. */
  creditedCodes: readonly (string | undefined)[],
): LeadingFields {
  const { clickId, visitorHash, referralCode } = order;
  return {
    codes: newCodes(order, known, creditedCodes),
    clickId: clickId === known.click_id ? null : clickId,
    visitorHash: visitorHash === known.visitor_hash ? null : visitorHash,
    referralCode: isSameCode(referralCode, known.referral_code) ? null : referralCode,
  };
}

function newCodes(
  order: PreparedOrder,
  known: OrderRow,
  creditedCodes: readonly (string | undefined)[],
): string[] {
  const codes = order.codes.filter((code) => !creditedCodes.includes(code));
  // Most changes bring no other code, so the stored content need not be parsed.
  if (codes.length === 0) return codes;
  const earlier = JSON.parse(known.content) as Pick<OrderInput, 'coupon_codes'>;
  const earlierCodes = foldCodes(earlier.coupon_codes);
  return codes.filter((code) => !earlierCodes.includes(code));
}

function isSameCode(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return foldOrderCode(one) === foldOrderCode(other);
}
