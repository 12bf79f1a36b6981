import { Currency } from '../../../../src/shared/money.ts';
import { shareOf } from '../../mapping/amounts.ts';
import { countOf, objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { Connector, KnownOrder } from '../connector.ts';
import { productOf } from './lines.ts';
import { refundsOf, toRefund } from './refunds.ts';
import { shopMoney } from './shop-money.ts';

/** A refund by itself, of an order that Shopify does not show. Its order follows in an update, or does not. */
export const changeIn: Required<Connector>['changeIn'] = (payload, topic, known) => {
  const refund = objectOf(payload);
  const id = textOf(refund['id']);
  if (topic !== 'refunds/create' || id === undefined) return undefined;
  if (known.currency === undefined || known.refunds.some((each) => String(each.id) === id)) {
    return undefined;
  }
  const currency = new Currency(known.currency);
  const lines = objectsOf(refund['refund_line_items']).map(({ line_item_id, line_item }) => ({
    id: textOf(line_item_id) ?? '',
    productId: productOf(objectOf(line_item)),
  }));
  const products = new Map(lines.map((line) => [line.id, line.productId]));
  const order = {
    taxes_included: isInclusive(refund, products, known, currency),
    refunds: [{ ...refund, transactions: paymentsIn(refund, currency) }],
  };
  const refunds = [
    ...known.refunds,
    ...refundsOf(order, lines, currency).map((each) => toRefund(each, currency)),
  ];
  const back = refunds.reduce((sum, { amount }) => sum + (currency.toMinor(amount) ?? 0), 0);
  const isWhole = known.total > 0 && back >= (currency.toMinor(known.total) ?? 0);
  const isPaid = known.status === 'processing' || known.status === 'completed';
  return { refunds, ...(isWhole && isPaid && { status: 'refunded' }) };
};

/** Without the order the rate of a payment in another currency is unknown; what it was for is in the shop's own. */
function paymentsIn(refund: Json, currency: Currency): readonly Json[] {
  const payments = objectsOf(refund['transactions']);
  const isOwn = payments.every(
    (each) => (textOf(each['currency']) ?? currency.code) === currency.code,
  );
  return isOwn ? payments : [];
}

/** Whether prices include tax, which only the order says: the reading that is nearer to its stored lines. */
function isInclusive(
  refund: Json,
  products: ReadonlyMap<string, string>,
  known: KnownOrder,
  currency: Currency,
): boolean {
  const items = new Map(known.items.map((item) => [String(item.product_id), item]));
  let [shown, tax, stored] = [0, 0, 0];
  for (const line of objectsOf(refund['refund_line_items'])) {
    const item = items.get(products.get(textOf(line['line_item_id']) ?? '') ?? '');
    if (!item) continue;
    shown += shopMoney(line, 'subtotal', currency);
    tax += shopMoney(line, 'total_tax', currency);
    const total = currency.toMinor(item.total) ?? 0;
    stored += shareOf(total, countOf(line['quantity']), item.quantity);
  }
  return Math.abs(shown - tax - stored) < Math.abs(shown - stored);
}
