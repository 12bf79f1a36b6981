import {
  AMOUNT_MAX,
  fractionOf,
  roundedTimes,
  times,
  type Currency,
} from '../../../src/shared/money.ts';

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

/** `amount × part ÷ whole`, rounded once; the amount itself if there is no whole. */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole === 0 || part === whole) return amount;
  return roundedTimes(amount, { numerator: BigInt(part), denominator: BigInt(whole) });
}

/** Amounts less a discount on all of them, in proportion. Their sum is exact, and none becomes negative. */
export function lessDiscount(amounts: readonly number[], discount: number): number[] {
  const all = amounts.reduce((sum, amount) => sum + Math.max(0, amount), 0);
  const off = Math.min(Math.max(0, discount), all);
  let passed = 0;
  let taken = 0;
  return amounts.map((amount) => {
    passed += Math.max(0, amount);
    const before = taken;
    taken = shareOf(off, passed, all);
    return amount - (taken - before);
  });
}
