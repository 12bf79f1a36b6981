import type { Currency } from '../../../../src/shared/money.ts';
import { shareOf } from '../../mapping/amounts.ts';
import { storableName, type MinorLine } from '../../mapping/order-limits.ts';
import { countOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { shopMoney } from './shop-money.ts';

/** A line of a Shopify order. Subtotal and total are without tax, even where the store's prices include it. */
export interface ShopifyLine extends MinorLine {
  readonly id: string;
  /** After discounts, as Shopify shows it: with tax where prices include it. */
  readonly shown: number;
}

/**
 * The lines of an order as they were before refunds. A line that was removed by an edit has a `current_quantity`
 * that is lower; where no refund explains the difference, the line counts with what is left.
 */
export function linesOf(order: Json, currency: Currency): ShopifyLine[] {
  const refunded = refundedQuantities(order);
  const isInclusive = order['taxes_included'] === true;
  return objectsOf(order['line_items']).map((line) => {
    const id = textOf(line['id']) ?? '';
    const ordered = countOf(line['quantity']);
    const current = line['current_quantity'];
    const quantity =
      typeof current === 'number'
        ? Math.min(ordered, countOf(current) + (refunded.get(id) ?? 0))
        : ordered;
    const amount = (whole: number) => (ordered === 0 ? 0 : shareOf(whole, quantity, ordered));
    const before = shopMoney(line, 'price', currency) * ordered;
    const after = Math.max(0, before - sumOf(line['discount_allocations'], 'amount', currency));
    const tax = isInclusive ? Math.min(after, sumOf(line['tax_lines'], 'price', currency)) : 0;
    return {
      id,
      productId: productOf(line),
      ...storableName(line['title']),
      quantity,
      subtotal: amount(shareOf(before, after - tax, after)),
      total: amount(after - tax),
      shown: amount(after),
    };
  });
}

/** Lines that are not a product of the store, such as a custom item of a draft, are known by their own id. */
export function productOf(line: Json): string {
  return textOf(line['product_id']) ?? textOf(line['variant_id']) ?? textOf(line['id']) ?? 'custom';
}

function refundedQuantities(order: Json): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const refund of objectsOf(order['refunds'])) {
    for (const line of objectsOf(refund['refund_line_items'])) {
      const id = textOf(line['line_item_id']) ?? '';
      quantities.set(id, (quantities.get(id) ?? 0) + countOf(line['quantity']));
    }
  }
  return quantities;
}

export function sumOf(list: unknown, name: string, currency: Currency): number {
  return objectsOf(list).reduce((sum, entry) => sum + shopMoney(entry, name, currency), 0);
}
