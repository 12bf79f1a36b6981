import type { Currency } from '../../../../src/shared/money.ts';
import { lessDiscount } from '../../mapping/amounts.ts';
import { mergedLines, storableName, type MinorLine } from '../../mapping/order-limits.ts';
import { countOf, objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { idOf, type Purchase } from './purchase.ts';
import { stripeMoney } from './stripe-money.ts';

/** The amounts of a purchase in minor units. Goods and lines are without tax. */
export interface StripeFigures {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly total: number;
  readonly lines: readonly MinorLine[];
}

export function sessionFigures(
  { lines }: Purchase,
  session: Json,
  currency: Currency,
): StripeFigures {
  const details = objectOf(session['total_details']);
  return figuresOf({
    total: stripeMoney(session, 'amount_total', currency),
    discount: stripeMoney(details, 'amount_discount', currency),
    shipping: stripeMoney(details, 'amount_shipping', currency),
    tax: stripeMoney(details, 'amount_tax', currency),
    lines: lines.map((line) => {
      const amount = (name: string) => stripeMoney(line, name, currency);
      const total = amount('amount_total') - amount('amount_tax');
      const product = objectOf(line['price'])['product'];
      return toLine(line, product, total, amount('amount_discount'));
    }),
  });
}

export function invoiceFigures(
  { lines }: Purchase,
  invoice: Json,
  currency: Currency,
): StripeFigures {
  const sumOf = (list: unknown) => sum(objectsOf(list), 'amount', currency);
  return figuresOf({
    total: stripeMoney(invoice, 'total', currency),
    discount: sumOf(invoice['total_discount_amounts']),
    shipping: stripeMoney(objectOf(invoice['shipping_cost']), 'amount_subtotal', currency),
    tax: sumOf(invoice['total_taxes']),
    lines: lines.map((line) => {
      const discount = sumOf(line['discount_amounts']);
      const included = objectsOf(line['taxes']).filter(
        (tax) => tax['tax_behavior'] === 'inclusive',
      );
      const total =
        stripeMoney(line, 'amount', currency) - discount - sum(included, 'amount', currency);
      const product = objectOf(objectOf(line['pricing'])['price_details'])['product'];
      return toLine(line, product, total, discount);
    }),
  });
}

function toLine(line: Json, product: unknown, total: number, discount: number): MinorLine {
  return {
    productId: idOf(product) ?? idOf(line) ?? 'custom',
    ...storableName(withoutTerms(line['description'])),
    quantity: countOf(line['quantity']),
    subtotal: total + discount,
    total,
  };
}

/** The name of the product in a description. An invoice has more in it: "2 × Plan (at $30.00 / month)". */
function withoutTerms(description: unknown): string | undefined {
  return textOf(description)
    ?.replace(/^\d+ × /, '')
    .replace(/ \([^()]*\d[^()]* \/ [^()]*\)$/, '');
}

/**
 * Credits for unused time are lines below zero: discounts on the others, in proportion. Where the lines still do not
 * add up to the total, commission applies to the goods as a whole, which are what is left of it.
 */
function figuresOf(
  given: Omit<StripeFigures, 'subtotal' | 'fees' | 'lines'> & { lines: MinorLine[] },
): StripeFigures {
  const { shipping, tax } = given;
  const total = Math.max(0, given.total);
  const goods = Math.max(0, total - shipping - tax);
  const bought = given.lines.filter((line) => line.total >= 0 && line.subtotal >= 0);
  const credit = given.lines.reduce((all, line) => all + Math.max(0, -line.total), 0);
  const discount = given.discount + credit;
  const totals = lessDiscount(
    bought.map((line) => line.total),
    credit,
  );
  const reduced = bought.map((line, i) => ({ ...line, total: totals[i]! }));
  const inLines = totals.reduce((all, amount) => all + amount, 0);
  const lines = inLines <= goods ? (mergedLines(reduced) ?? []) : [];
  const counted = lines.length > 0 ? inLines : goods;
  return {
    total,
    shipping,
    tax,
    discount,
    subtotal: counted + discount,
    fees: Math.max(0, total - shipping - tax - counted),
    lines,
  };
}

function sum(list: readonly Json[], name: string, currency: Currency): number {
  return list.reduce((all, each) => all + stripeMoney(each, name, currency), 0);
}
