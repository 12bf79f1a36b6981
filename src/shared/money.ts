import { BoundedMap } from './bounded-map.ts';

/**
 * The decimals of ISO 4217 where they are not two. Intl has the number that is commonly displayed (0 for HUF),
 * which may change with its version; the meaning of stored amounts must not.
 */
const DECIMALS = new Map<string, number>([
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimals(4, 'CLF UYW'),
]);

function decimals(count: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, count]);
}

/** Whether Intl knows a currency of this code. */
export function isCurrencyCode(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text);
}

/**
 * Money is an integer of the currency's smallest unit (cents, yen, fils) everywhere inside the service. Only rates
 * are fractions, and they are exact.
 */
export class Currency {
  readonly code: string;
  /** Digits after the decimal point: JPY 0, USD 2, KWD 3. */
  readonly decimals: number;
  readonly #unit: number;

  constructor(code: string) {
    this.code = code;
    this.decimals = DECIMALS.get(code) ?? 2;
    this.#unit = 10 ** this.decimals;
  }

  /** `19.99` to 1999; undefined when the amount is finer than the smallest unit, or too large. */
  toMinor(major: number): number | undefined {
    // `+ 0` turns -0 into 0.
    const minor = Math.round(major * this.#unit) + 0;
    return Math.abs(minor) <= AMOUNT_MAX && minor / this.#unit === major ? minor : undefined;
  }

  /** 1999 to `19.99`, the number that JSON shows. */
  toMajor(minor: number): number {
    return minor / this.#unit;
  }
}

/** A trillion smallest units, so that sums of many amounts stay exact. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** An exact fraction: `12.5` is 125 / 10. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Reads the decimal digits of a number, without binary rounding. */
export function fractionOf(decimal: number | string): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(decimal));
  if (!match) throw new Error(`Not a decimal number: ${decimal}`);
  const [, sign, whole = '', digits = '', exponent = '0'] = match;
  const power = BigInt(Number(exponent) - digits.length);
  const value = BigInt(whole + digits) * (sign === '-' ? -1n : 1n);
  return power >= 0n
    ? { numerator: value * 10n ** power, denominator: 1n }
    : { numerator: value, denominator: 10n ** -power };
}

const PERCENTS_MAX = 1_000;
/** Cached, because a store has few percentages and every order reads them. */
const percents = new BoundedMap<number | string, Fraction>(PERCENTS_MAX);

/** `12.5` percent as a fraction. */
export function percentOf(percent: number | string): Fraction {
  let fraction = percents.get(percent);
  if (!fraction) {
    const { numerator, denominator } = fractionOf(percent);
    fraction = { numerator, denominator: denominator * 100n };
    percents.set(percent, fraction);
  }
  return fraction;
}

export function times(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function plus(a: Fraction, b: Fraction): Fraction {
  if (a.denominator === b.denominator) {
    return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  }
  return reduced(
    a.numerator * b.denominator + b.numerator * a.denominator,
    a.denominator * b.denominator,
  );
}

/** Reduces to lowest terms, because otherwise a sum grows by some digits with each of its terms. */
function reduced(numerator: bigint, denominator: bigint): Fraction {
  // Most orders are in the store's currency and without a refund.
  if (denominator === 1n) return { numerator, denominator };
  let [divisor, rest] = [denominator, numerator < 0n ? -numerator : numerator];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Rounds half away from zero, like every amount in the service. */
export function roundedTimes(amount: number, factor: Fraction): number {
  const { denominator } = factor;
  // Most orders are in the store's currency.
  if (factor.numerator === denominator) return amount;
  const numerator = BigInt(amount) * factor.numerator;
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return Number(numerator < 0n ? -rounded : rounded);
}
