import type { Currency } from '../../../../src/shared/money.ts';
import { minorOf } from '../../mapping/amounts.ts';
import { MappingError, objectOf, type Json } from '../../mapping/payload.ts';

/**
 * An amount in minor units of the store's currency: `shop_money` of the field's set, or the plain field, which older
 * payloads have alone. 0 if the field is absent.
 */
export function shopMoney(object: Json, name: string, currency: Currency): number {
  const set = objectOf(objectOf(object[`${name}_set`])['shop_money']);
  const value = set['amount'] ?? object[name];
  if (value === undefined || value === null) return 0;
  const minor = minorOf(value, currency);
  if (minor === undefined) throw new MappingError(`The field "${name}" is not an amount.`);
  return minor;
}

/** Whether a payload has the amount at all. */
export function hasMoney(object: Json, name: string): boolean {
  return (object[`${name}_set`] ?? object[name] ?? null) !== null;
}
