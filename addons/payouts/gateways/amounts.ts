import { Currency } from '../../../src/shared/money.ts';

/**
 * Converts an amount in the currency's minor units to units with another number of decimals; undefined if that would
 * lose a part of it.
 */
export function withDecimals(
  minor: number,
  currency: string,
  decimals: number,
): number | undefined {
  const shift = decimals - new Currency(currency).decimals;
  if (shift >= 0) return minor * 10 ** shift;
  const whole = minor / 10 ** -shift;
  return Number.isInteger(whole) ? whole : undefined;
}

/** 1999 with 2 decimals becomes `19.99`. Moves digits instead of dividing, so nothing is rounded. */
export function decimalText(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
