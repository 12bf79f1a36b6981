import { isStorable } from '../../../src/shared/storable.ts';
import type { StoreOrder } from '../connectors/connector.ts';
import { textOf, type Json } from './payload.ts';

/** The limits of the fields of an order (`orderFields`). What exceeds them is left out: it must not cost the order. */
const CODE_LENGTH_MAX = 50;
const CODES_MAX = 50;
const LINES_MAX = 1_000;
const ID_LENGTH_MAX = 100;
const EMAIL_LENGTH_MAX = 254;
const NAME_LENGTH_MAX = 200;
const QUANTITY_MAX = 1_000_000;
const GROUPS_MAX = 100;

/** The codes that can be coupons here, each once. */
export function storableCodes(codes: readonly (string | undefined)[]): string[] {
  const fitting = codes.filter(
    (code) => code !== undefined && code.length <= CODE_LENGTH_MAX && isStorable(code),
  );
  return [...new Set(fitting)].filter((code) => code !== undefined).slice(0, CODES_MAX);
}

/** First and last name of an address; empty if it has neither. */
export function nameIn(address: Json): string {
  const names = [textOf(address['first_name']), textOf(address['last_name'])];
  return names.filter((name) => name !== undefined).join(' ');
}

export function storableCustomer(
  id: string | undefined,
  email: string | undefined,
  name?: string,
): { customer?: NonNullable<StoreOrder['customer']> } {
  const fits = (text: string | undefined, lengthMax: number) =>
    text !== undefined && text.length <= lengthMax && isStorable(text);
  const customer = {
    ...(fits(id, ID_LENGTH_MAX) && { id: id! }),
    ...(fits(email, EMAIL_LENGTH_MAX) && { email: email! }),
    ...(name !== '' && fits(name, NAME_LENGTH_MAX) && { name: name! }),
  };
  return Object.keys(customer).length === 0 ? {} : { customer };
}

/** The number that a store shows for an order, without the sign that Shopify begins it with. */
export function shownNumber(value: unknown, externalId: string): Pick<StoreOrder, 'number'> {
  const number = textOf(value)?.replace(/^#/, '').trim() ?? '';
  const fits = number !== '' && number.length <= ID_LENGTH_MAX && isStorable(number);
  return fits && number !== externalId ? { number } : {};
}

/** The first of some values that is a country: two letters, in any case. */
export function storableCountry(...values: readonly unknown[]): Pick<StoreOrder, 'country'> {
  const codes = values.map((value) => (typeof value === 'string' ? value.toUpperCase() : ''));
  const country = codes.find((code) => /^[A-Z]{2}$/.test(code));
  return country === undefined ? {} : { country };
}

/** The categories or tags of a product that an order can have, each once. */
export function storableIds(ids: readonly string[]): string[] {
  const fitting = ids.filter((id) => id !== '' && id.length <= ID_LENGTH_MAX && isStorable(id));
  return [...new Set(fitting)].slice(0, GROUPS_MAX);
}

const PRODUCT_NAME_MAX = 200;

/** The name of a product, as much of it as an order can have. */
export function storableName(name: unknown): { name?: string } {
  if (typeof name !== 'string' || !isStorable(name)) return {};
  const fitting = name.trim().slice(0, PRODUCT_NAME_MAX).toWellFormed();
  return fitting === '' ? {} : { name: fitting };
}

/** The name as a part of the line of an order. */
export function named({ name }: Pick<MinorLine, 'name'>): { name?: string } {
  return name === undefined ? {} : { name };
}

/** A line of an order or a refund, with amounts in minor units. */
export interface MinorLine {
  readonly productId: string;
  readonly name?: string;
  readonly quantity: number;
  readonly subtotal: number;
  readonly total: number;
}

/**
 * Merges the lines of a product, as commissions do, so that an order of a thousand lines fits. Undefined if it has
 * more products than an order can have; commission then applies to the amount of the goods.
 */
export function mergedLines(lines: readonly MinorLine[]): MinorLine[] | undefined {
  const merged = new Map<string, MinorLine>();
  for (const line of lines) {
    const same = merged.get(line.productId);
    merged.set(line.productId, {
      productId: line.productId,
      ...named(same?.name === undefined ? line : same),
      quantity: Math.min(QUANTITY_MAX, line.quantity + (same?.quantity ?? 0)),
      subtotal: line.subtotal + (same?.subtotal ?? 0),
      total: line.total + (same?.total ?? 0),
    });
  }
  const fit = [...merged.keys()].every((id) => id.length <= ID_LENGTH_MAX && isStorable(id));
  return fit && merged.size <= LINES_MAX ? [...merged.values()] : undefined;
}
