import {
  AMOUNT_MAX,
  fractionOf,
  roundedTimes,
  times,
  type Currency,
} from '../../../shared/money.ts';

/** Digits of one amount; a longer text is no amount. */
const LENGTH_MAX = 60;
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/;

/**
 * The smallest units of a currency that a decimal names, such as 1999 for `"19.99"`; undefined if it is no decimal or
 * too large. Stores write amounts with the decimals of their own setting, so a finer amount is rounded half away from
 * zero: `"2922.75"` JPY is 2923. The decimal digits are read exactly, never through binary fractions.
 */
export function minorOf(decimal: unknown, currency: Currency): number | undefined {
  const text = typeof decimal === 'number' ? String(decimal) : decimal;
  if (typeof text !== 'string' || text.length > LENGTH_MAX || !DECIMAL.test(text)) return undefined;
  const units = { numerator: 10n ** BigInt(currency.decimals), denominator: 1n };
  // `+ 0` turns -0 into 0.
  const minor = roundedTimes(1, times(fractionOf(text), units)) + 0;
  return Math.abs(minor) <= AMOUNT_MAX ? minor : undefined;
}
