import { isObject, type Json } from '../../mapping/payload.ts';
import { metaIn } from './payload.ts';

/**
 * What one unit of the order's currency is worth in another one, by what plugins for several currencies note with an
 * order: how many of its units one unit of the shop's own currency is. Undefined if that is a third currency.
 */
export function notedRate(order: Json, own: string, into: string): number | undefined {
  if (own === into) return undefined;
  for (const [base, rate] of [
    // WooPayments
    [
      metaIn(order, '_wcpay_multi_currency_order_default_currency'),
      metaIn(order, '_wcpay_multi_currency_order_exchange_rate'),
    ],
    // FOX (WOOCS)
    [metaIn(order, '_woocs_order_base_currency'), metaIn(order, '_woocs_order_rate')],
    curcy(metaIn(order, 'wmc_order_info'), own),
  ]) {
    const value = 1 / Number(rate ?? 0);
    if (base === into && Number.isFinite(value) && value > 0) return value;
  }
  return undefined;
}

/** CURCY notes the rates of all currencies, and which of them is the shop's. */
function curcy(info: unknown, own: string): [base: unknown, rate: unknown] {
  const byCode = isObject(info) ? Object.entries(info) : [];
  const rateOf = (entry: unknown) => (isObject(entry) ? entry['rate'] : undefined);
  const main = byCode.find(([, entry]) => isObject(entry) && Number(entry['is_main']) === 1);
  return [main?.[0], rateOf(byCode.find(([code]) => code === own)?.[1])];
}
