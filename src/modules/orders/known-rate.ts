import type { Site } from '../../kernel/declare/site.ts';
import { roundedTimes } from '../../shared/money.ts';
import type { OrderContent } from './order-content.ts';
import { readEarning, type PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

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
  const { exchange, total } = readEarning(site, sent);
  const { figures } = order;
  const refunded = figures.refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return {
    ...order,
    exchangeRate: rate,
    exchange,
    total,
    discount: roundedTimes(figures.discount, exchange),
    shipping: roundedTimes(figures.shipping, exchange),
    refunded: roundedTimes(Math.min(refunded, figures.total), exchange),
    content: JSON.stringify(sent),
  };
}
