import type { Currency } from '../../../../src/shared/money.ts';
import { shareOf } from '../../mapping/amounts.ts';
import { mergedLines, type MinorLine } from '../../mapping/order-limits.ts';
import { countOf, objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { StoreOrder } from '../connector.ts';
import type { ShopifyLine } from './lines.ts';
import { shopMoney } from './shop-money.ts';

/** A refund in minor units of the store's currency. */
export interface ShopifyRefund {
  readonly id: string;
  readonly date: string | undefined;
  readonly amount: number;
  /** The parts of the amount that are known, with tax of the lines apart. */
  readonly shipping: number;
  readonly tax: number;
  readonly lines: readonly MinorLine[];
}

/**
 * The refunds of an order by money, not by stock: goods that were taken back into stock without paying anything
 * back reduce nothing. Lines and shipping say what the money was for; where less was paid back than they cost, each
 * counts in proportion.
 */
export function refundsOf(
  order: Json,
  lines: readonly Pick<ShopifyLine, 'id' | 'productId'>[],
  currency: Currency,
): ShopifyRefund[] {
  const products = new Map(lines.map((line) => [line.id, line.productId]));
  const isInclusive = order['taxes_included'] === true;
  return objectsOf(order['refunds']).map((refund, i) => {
    const taken = objectsOf(refund['refund_line_items']).map((line) => {
      const subtotal = shopMoney(line, 'subtotal', currency);
      const tax = shopMoney(line, 'total_tax', currency);
      return {
        productId: products.get(textOf(line['line_item_id']) ?? ''),
        quantity: countOf(line['quantity']),
        tax: Math.max(0, tax),
        net: Math.max(0, isInclusive ? subtotal - tax : subtotal),
      };
    });
    const shipping = shippingOf(refund, currency);
    const worth = taken.reduce((sum, line) => sum + line.net + line.tax, shipping);
    const amount = Math.max(0, paidBack(order, refund, currency) ?? owed(refund, worth, currency));
    const isPart = amount < worth;
    const part = (whole: number) => (isPart ? shareOf(whole, amount, worth) : whole);
    const named = taken.flatMap(({ productId, quantity, net }) => {
      const total = part(net);
      if (productId === undefined || total === 0) return [];
      return [{ productId, quantity: isPart ? 0 : quantity, subtotal: total, total }];
    });
    return {
      id: textOf(refund['id']) ?? String(i + 1),
      date: timeOf(refund['processed_at']) ?? timeOf(refund['created_at']),
      amount,
      shipping: part(shipping),
      tax: part(taken.reduce((sum, line) => sum + line.tax, 0)),
      lines: mergedLines(named) ?? [],
    };
  });
}

export function toRefund(
  { id, date, amount, shipping, tax, lines }: ShopifyRefund,
  currency: Currency,
): StoreOrder['refunds'][number] {
  const money = (minor: number) => currency.toMajor(minor);
  return {
    id,
    ...(date !== undefined && { date }),
    amount: money(amount),
    shipping: money(shipping),
    tax: money(tax),
    items: lines.map(({ productId, quantity, total }) => ({
      product_id: productId,
      quantity,
      total: money(total),
    })),
  };
}

/** In UTC, as the times of the order. */
function timeOf(value: unknown): string | undefined {
  const ms = Date.parse(textOf(value) ?? '');
  return Number.isNaN(ms) ? textOf(value) : new Date(ms).toISOString();
}

/** Payment services confirm a refund hours later, so one that is pending counts; a failed one does not. */
const COUNTED_STATUSES = new Set(['success', 'pending']);

/** What the payments of a refund add up to; undefined if it has none. */
function paidBack(order: Json, refund: Json, currency: Currency): number | undefined {
  const payments = objectsOf(refund['transactions']).filter((each) => each['kind'] === 'refund');
  if (payments.length === 0) return undefined;
  return payments
    .filter((each) => COUNTED_STATUSES.has(String(each['status'])))
    .reduce((sum, each) => sum + inShopMoney(order, each, currency), 0);
}

/** Payments are in the customer's currency, whose rate the order's total has. */
function inShopMoney(order: Json, payment: Json, currency: Currency): number {
  const amount = shopMoney(payment, 'amount', currency);
  const paidIn = textOf(payment['currency']) ?? currency.code;
  const total = objectOf(order['total_price_set']);
  const presented = objectOf(total['presentment_money']);
  if (paidIn === currency.code || presented['currency_code'] !== paidIn) return amount;
  return shareOf(
    amount,
    shopMoney(order, 'total_price', currency),
    shopMoney({ amount: presented['amount'] }, 'amount', currency),
  );
}

/** Older versions of the API have refunded shipping as an adjustment below zero, newer ones as lines. */
function shippingOf(refund: Json, currency: Currency): number {
  const adjusted = objectsOf(refund['order_adjustments'])
    .filter((each) => each['kind'] === 'shipping_refund')
    .reduce((sum, each) => sum - shopMoney(each, 'amount', currency), 0);
  if (adjusted > 0) return adjusted;
  const lines = objectsOf(refund['refund_shipping_lines']);
  return lines.reduce((sum, each) => sum + shopMoney(each, 'subtotal_amount', currency), 0);
}

/**
 * What a refund without payments is worth, such as lines that were removed from an order before it was paid: what it
 * names, less the adjustments, which are below zero where more was paid back.
 */
function owed(refund: Json, worth: number, currency: Currency): number {
  return objectsOf(refund['order_adjustments'])
    .filter((each) => each['kind'] !== 'shipping_refund')
    .reduce(
      (left, each) =>
        left - shopMoney(each, 'amount', currency) - shopMoney(each, 'tax_amount', currency),
      worth,
    );
}
