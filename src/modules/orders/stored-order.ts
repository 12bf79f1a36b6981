import type { Site } from '../../kernel/declare/site.ts';
import { roundedTimes } from '../../shared/money.ts';
import { computeCommission } from './commission/commission.ts';
import type { ReferralTerms } from './commission/referral-terms.ts';
import type { OrderContent } from './order-content.ts';
import { prepareOrder, type PreparedOrder } from './order-input.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';

type StoredContent = Pick<OrderRow, 'order_id' | 'content'>;

/** Parses the stored order again: the calculation is repeated, not stored. */
export function toPrepared(site: Site, row: StoredContent): PreparedOrder {
  // The stored content has hashes for both.
  const { customer: _, visitor: _hash, ...content } = JSON.parse(row.content) as OrderContent;
  return prepareOrder(site, { ...content, order_id: row.order_id }, { content: row.content });
}

/** A stored order as it would come in again. What is not kept of its customer is missing. */
export function toStored(site: Site, row: OrderRow): PreparedOrder {
  const { store_id: storeId, customer_hash: customerHash, visitor_hash: visitorHash } = row;
  return { ...toPrepared(site, row), storeId, customerHash, visitorHash };
}

/**
 * The stored order with a change, such as cancelled, for one whose store does not send it whole any more. It keeps its
 * time of change: a version that the store sends later counts, also one with the same time, as after restoring the order.
 */
export function asChanged(
  site: Site,
  row: OrderRow,
  change: Partial<Pick<OrderContent, 'status' | 'refunds'>>,
): PreparedOrder {
  // The content is an object that this module has stored.
  const before = JSON.parse(row.content) as OrderContent;
  const content = JSON.stringify({ ...before, ...change });
  return toStored(site, { ...row, content });
}

/**
 * What a referral earns once its order is completed, and the amount that its percentages apply to, after refunds; in
 * minor units of the store's currency.
 */
export function recomputeCommission(
  site: Site,
  order: StoredContent,
  referral: Pick<ReferralRow, 'rates'>,
): { base: number; expected: number } {
  const { figures, exchange } = toPrepared(site, order);
  // Only terms of referrals are stored there.
  const { rates, rules, self } = JSON.parse(referral.rates) as ReferralTerms;
  const { base, amount } = computeCommission(figures, rates, rules, exchange);
  return { base: roundedTimes(1, base), expected: self ? 0 : amount };
}
