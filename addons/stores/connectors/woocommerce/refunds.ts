import type { Currency } from '../../../../src/shared/money.ts';
import { lessDiscount } from '../../mapping/amounts.ts';
import type { Json } from '../../mapping/payload.ts';
import type { StoreOrder } from '../connector.ts';
import { amountIn, idIn, instantIn, listIn, metaIn, quantityOf } from './payload.ts';

type Refund = StoreOrder['refunds'][number];

/** Whether a refund says what was refunded. An order has only id, reason and total of its refunds. */
export function hasLines(refund: Json): boolean {
  return Array.isArray(refund['line_items']);
}

/**
 * The refunds of an order. Its own lines and totals never change with them, and the refund that a store makes for the
 * status `refunded` stays when the status is set back. Oldest first, so that the same refunds give the same order.
 */
export function refundsOf(order: Json, currency: Currency): Refund[] {
  const productByLine = new Map(
    listIn(order, 'line_items').map((line) => [idIn(line), idIn(line, 'product_id') ?? '0']),
  );
  return listIn(order, 'refunds')
    .map((refund) =>
      hasLines(refund) ? withLines(refund, productByLine, currency) : bySum(refund, currency),
    )
    .toSorted((a, b) => Number(a.id) - Number(b.id));
}

/** Amounts of refunds are negative in an order and positive in some fields of the refund itself. */
function backIn(fields: Json, name: string, currency: Currency): number {
  return Math.abs(amountIn(fields, name, currency));
}

/** Without lines, only the share of the order that was paid back is known: its tax is a part of that share. */
function bySum(refund: Json, currency: Currency): Refund {
  return {
    id: idIn(refund) ?? '0',
    amount: currency.toMajor(backIn(refund, 'total', currency)),
  };
}

function withLines(
  refund: Json,
  productByLine: ReadonlyMap<string | undefined, string>,
  currency: Currency,
): Refund {
  const lines = listIn(refund, 'line_items');
  const shippingLines = listIn(refund, 'shipping_lines');
  const [feeLines, rebateLines] = feesOf(refund, currency);
  const sum = (of: Json[], name: string) =>
    of.reduce((total, line) => total + backIn(line, name, currency), 0);
  const date = instantIn(refund, 'date_created_gmt');
  const named = {
    shipping: sum(shippingLines, 'total'),
    tax:
      sum([...lines, ...shippingLines, ...feeLines], 'total_tax') - sum(rebateLines, 'total_tax'),
    fees: sum(feeLines, 'total'),
  };
  const totals = lessDiscount(
    lines.map((line) => backIn(line, 'total', currency)),
    sum(rebateLines, 'total'),
  );
  const items = lines.map((line, i) => ({
    // The order line that it takes back: the product of the refund's own line may have been deleted since.
    product_id:
      productByLine.get(String(metaIn(line, '_refunded_item_id'))) ??
      idIn(line, 'product_id') ??
      '0',
    quantity: quantityOf(line),
    total: currency.toMajor(totals[i]!),
  }));
  return {
    id: idIn(refund) ?? '0',
    ...(date !== undefined && { date }),
    amount: currency.toMajor(backIn(refund, 'amount', currency)),
    ...(named.shipping > 0 && { shipping: currency.toMajor(named.shipping) }),
    ...(named.tax > 0 && { tax: currency.toMajor(named.tax) }),
    ...(named.fees > 0 && { fees: currency.toMajor(named.fees) }),
    ...(items.length > 0 && { items }),
  };
}

/** The fees that a refund pays back, and the fees below zero that it withdraws, which are above zero in it. */
function feesOf(refund: Json, currency: Currency): [Json[], Json[]] {
  const lines = listIn(refund, 'fee_lines');
  const isRebate = (line: Json) => amountIn(line, 'total', currency) > 0;
  return [lines.filter((line) => !isRebate(line)), lines.filter(isRebate)];
}
