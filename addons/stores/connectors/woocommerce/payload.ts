import { Currency } from '../../../../src/shared/money.ts';
import { minorOf } from '../../mapping/amounts.ts';
import { isObject, MappingError, type Json } from '../../mapping/payload.ts';

/** The objects of a list; a list that is absent is empty. */
export function listIn(fields: Json, name: string): Json[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw new MappingError(`The field ${name} of the order is not a list of objects.`);
  }
  return value;
}

/** An id that WooCommerce assigned, as text; undefined if there is none. */
export function idIn(fields: Json, name = 'id'): string | undefined {
  const value = Number(fields[name]);
  return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
}

/** The value of a field that plugins and WooCommerce itself add to an order or to one of its lines. */
export function metaIn(fields: Json, key: string): unknown {
  return listIn(fields, 'meta_data').find((meta) => meta['key'] === key)?.['value'];
}

const GMT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** A field `date_…_gmt`: UTC to the second, which WooCommerce writes without a zone. */
export function instantIn(fields: Json, name: string): string | undefined {
  const text = fields[name];
  const match = typeof text === 'string' ? GMT.exec(text) : null;
  return match ? `${match[0]}Z` : undefined;
}

/** Minor units. Absent is 0: versions differ in the fields of their lines. */
export function amountIn(fields: Json, name: string, currency: Currency): number {
  const value = fields[name] ?? 0;
  const minor = minorOf(value === '' ? 0 : value, currency);
  if (minor === undefined) {
    throw new MappingError(`The field ${name} of the order is not an amount of money.`);
  }
  return minor;
}

/** Whether amounts are rounded to the decimals that a shop shows, which are fewer than those of the currency. */
export function hidesDecimals({ currency, total }: Json): boolean {
  if (typeof currency !== 'string' || typeof total !== 'string') return false;
  return !total.includes('.') && new Currency(currency).decimals > 0;
}

export const QUANTITY_MAX = 1_000_000;

/** Without its sign, which is negative in refunds. Plugins make fractions, such as 1.5 metres. */
export function quantityOf({ quantity }: Json): number {
  const pieces = Math.ceil(Math.abs(Number(quantity)));
  return Number.isNaN(pieces) ? 0 : Math.min(pieces, QUANTITY_MAX);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#039': "'",
  '#39': "'",
};

/** WooCommerce stores codes and names with HTML entities: `R&B` is `R&amp;B`. */
export function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name: string) => ENTITIES[name]!);
}
