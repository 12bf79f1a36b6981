import { Currency, roundedTimes } from '../../../../src/shared/money.ts';
import { stripeDecimals } from '../../../../src/shared/stripe-decimals.ts';
import { MappingError, type Json } from '../../mapping/payload.ts';

/**
 * Converts an integer amount of Stripe to minor units of the currency. Most often they are the same; Stripe has two
 * decimals for ISK and UGX and none for MGA.
 */
export function stripeMoney(object: Json, name: string, currency: Currency): number {
  const amount = object[name] ?? 0;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) {
    throw new MappingError(`The field "${name}" is not an amount of Stripe.`);
  }
  const shift = currency.decimals - stripeDecimals(currency.code);
  if (shift >= 0) return amount * 10 ** shift;
  return roundedTimes(amount, { numerator: 1n, denominator: 10n ** BigInt(-shift) });
}

/** Converts an amount such as 12.5 to an integer of Stripe. */
export function toStripeAmount(major: number, currency: string): number {
  return Math.round(major * 10 ** stripeDecimals(currency));
}

/** What one unit of the payment's currency was worth in another, by what Stripe credited; undefined if unknown. */
export function exchangeRateOf(charge: Json, balance: Json, target: string): number | undefined {
  const [from, to] = [codeOf(charge), codeOf(balance)];
  if (to !== target || from === target || from === '') return undefined;
  const paid = new Currency(from).toMajor(stripeMoney(charge, 'amount', new Currency(from)));
  const credited = new Currency(to).toMajor(stripeMoney(balance, 'amount', new Currency(to)));
  return paid > 0 && credited > 0 ? Number((credited / paid).toPrecision(12)) : undefined;
}

function codeOf({ currency }: Json): string {
  return typeof currency === 'string' ? currency.toUpperCase() : '';
}
