import type { Site } from '../../kernel/declare/site.ts';
import type { IncomingOrder } from './incoming-order.ts';
import type { OrderContent } from './order-content.ts';
import { readEarning, type PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

/** An order stays with its store when something else changes it. */
export function toRow(
  order: PreparedOrder,
  known: OrderRow | undefined,
  nowMs: number,
  decidedAt: number | null,
): OrderRow {
  return {
    order_id: order.orderId,
    placed_at: order.placedAtMs,
    day: order.day,
    status: order.status,
    currency: order.currency,
    exchange_rate: order.exchangeRate,
    external_id: order.externalId,
    number: order.number,
    total: order.total,
    discount: order.discount,
    shipping: order.shipping,
    refunded: order.refunded,
    modified_at: order.modifiedAtMs,
    customer_hash: order.customerHash,
    click_id: order.clickId,
    visitor_hash: order.visitorHash,
    referral_code: order.referralCode,
    content: order.content,
    created_at: known?.created_at ?? nowMs,
    updated_at: nowMs,
    store_id: order.storeId ?? known?.store_id ?? null,
    decided_at: decidedAt,
  };
}

/** The same version again, or an older one: it changes nothing. */
export function isUnchanged(incoming: IncomingOrder, known: OrderRow): boolean {
  if (isAdopted(incoming.order, known)) return false;
  return known.content === incoming.order.content || isOlder(incoming, known.modified_at);
}

/** The order was sent without a store, or by one that was connected again: it is now as its store says. */
function isAdopted(order: PreparedOrder, known: OrderRow): boolean {
  return order.storeId !== null && order.storeId !== known.store_id;
}

export function isOlder(
  {
    order: { modifiedAtMs },
    isSeenEarlier = false,
  }: Pick<IncomingOrder, 'order' | 'isSeenEarlier'>,
  knownModifiedMs: number | null,
): boolean {
  if (modifiedAtMs === null || knownModifiedMs === null) return false;
  return modifiedAtMs < knownModifiedMs || (isSeenEarlier && modifiedAtMs === knownModifiedMs);
}

/**
 * The order at the exchange rate that it was first stored with, whatever rate its sender has today: what was earned in
 * another currency was worth that much when it was earned. Another currency brings its own rate.
 */
export function withKnownRate(
  site: Site,
  order: PreparedOrder,
  known: OrderRow | undefined,
): PreparedOrder {
  const rate = known?.currency === order.currency ? known.exchange_rate : null;
  if (rate === null || order.exchangeRate === null || rate === order.exchangeRate) return order;
  // The content is an object that this module has made, and its hashes stay as they are.
  const content = JSON.parse(order.content) as OrderContent;
  const sent = { ...content, exchange_rate: Number(rate) };
  return {
    ...order,
    ...readEarning(site, sent),
    exchangeRate: rate,
    content: JSON.stringify(sent),
  };
}
