import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../test/support/seeded-random.ts';
import {
  AMOUNT_MAX,
  Currency,
  fractionOf,
  plus,
  roundedTimes,
  times,
  type Fraction,
} from './money.ts';

const currencies = { JPY: 0, USD: 2, EUR: 2, HUF: 2, KWD: 3 };
const fraction = (numerator: bigint, denominator: bigint): Fraction => ({ numerator, denominator });
const anyFraction = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(1n, 10n ** 9n))
  .map(([numerator, denominator]) => fraction(numerator, denominator));

describe('Currency', () => {
  for (const [code, decimals] of Object.entries(currencies)) {
    test(`${code} has ${decimals} decimals`, () => {
      assert.equal(new Currency(code).decimals, decimals);
    });

    test(`${code}: every amount survives the way out and in`, () => {
      const currency = new Currency(code);
      fc.assert(
        fc.property(fc.integer({ min: -AMOUNT_MAX, max: AMOUNT_MAX }), (minor) => {
          const shown = JSON.parse(JSON.stringify(currency.toMajor(minor))) as number;
          assert.equal(currency.toMinor(shown), minor);
        }),
      );
    });

    test(`${code}: shows no more digits than the currency has`, () => {
      const currency = new Currency(code);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: AMOUNT_MAX }), (minor) => {
          const [, digits = ''] = String(currency.toMajor(minor)).split('.');
          assert.ok(digits.length <= decimals);
        }),
      );
    });
  }

  const accepted: [code: string, major: number, minor: number][] = [
    ['USD', 19.99, 1999],
    ['USD', 0.29, 29],
    ['USD', 1.1, 110],
    ['USD', -5.05, -505],
    ['USD', 4.35, 435],
    ['USD', 1_000_000.01, 100_000_001],
    ['USD', 10_000_000_000, AMOUNT_MAX],
    ['USD', 0, 0],
    ['USD', -0, 0],
    ['JPY', 500, 500],
    ['JPY', AMOUNT_MAX, AMOUNT_MAX],
    ['KWD', 0.001, 1],
    ['KWD', 1.005, 1005],
    ['KWD', 1_000_000_000, AMOUNT_MAX],
  ];
  for (const [code, major, minor] of accepted) {
    test(`${major} ${code} is ${minor}`, () => {
      assert.equal(new Currency(code).toMinor(major), minor);
    });
  }

  const refused: [code: string, major: number][] = [
    ['USD', 19.999],
    ['USD', 0.005],
    ['USD', 0.1 + 0.2],
    ['USD', -0.001],
    ['USD', 10_000_000_000.01],
    ['USD', -10_000_000_000.01],
    ['JPY', 0.5],
    ['JPY', 100.01],
    ['JPY', AMOUNT_MAX + 1],
    ['KWD', 0.0001],
    ['KWD', 1_000_000_000.001],
    ['USD', Number.MAX_VALUE],
    ['USD', Number.MIN_VALUE],
    ['USD', Number.NaN],
    ['USD', Number.POSITIVE_INFINITY],
  ];
  for (const [code, major] of refused) {
    test(`${major} ${code} is refused`, () => {
      assert.equal(new Currency(code).toMinor(major), undefined);
    });
  }
});

describe('fractionOf', () => {
  const table: [decimal: number | string, numerator: bigint, denominator: bigint][] = [
    [0, 0n, 1n],
    [7, 7n, 1n],
    [0.1, 1n, 10n],
    [12.5, 125n, 10n],
    [-2.25, -225n, 100n],
    ['1.005', 1005n, 1000n],
    ['12.50', 1250n, 100n],
    [1e-7, 1n, 10n ** 7n],
    [1.5e-7, 15n, 10n ** 8n],
    [1e21, 10n ** 21n, 1n],
    ['1e3', 1000n, 1n],
  ];
  for (const [decimal, numerator, denominator] of table) {
    test(`${JSON.stringify(decimal)} is ${numerator} / ${denominator}`, () => {
      assert.deepEqual(fractionOf(decimal), { numerator, denominator });
    });
  }

  test('what is no decimal number is refused', () => {
    for (const text of ['', 'x', '1.', '.5', '1,5', '0x10', 'NaN', 'Infinity', ' 1']) {
      assert.throws(() => fractionOf(text), /Not a decimal number/, text);
    }
  });

  test('any number is read as it is written', () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(any, (number) => {
        const { numerator, denominator } = fractionOf(number);
        const zeros = String(denominator).length - 1;
        assert.equal(denominator, 10n ** BigInt(zeros));
        assert.equal(Number(`${numerator}e-${zeros}`), number + 0);
      }),
    );
  });
});

describe('roundedTimes', () => {
  const table: [amount: number, factor: Fraction, rounded: number][] = [
    [1, fraction(1n, 2n), 1],
    [-1, fraction(1n, 2n), -1],
    [3, fraction(1n, 2n), 2],
    [-3, fraction(1n, 2n), -2],
    [1, fraction(49n, 100n), 0],
    [-1, fraction(49n, 100n), 0],
    [100, fractionOf('1.005'), 101],
    [-100, fractionOf('1.005'), -101],
    [1999, fractionOf(0.125), 250],
    [0, fractionOf(99), 0],
    [1, fraction(-5n, 10n), -1],
  ];
  for (const [amount, factor, rounded] of table) {
    test(`${amount} × ${factor.numerator}/${factor.denominator} is ${rounded}`, () => {
      assert.equal(roundedTimes(amount, factor), rounded);
    });
  }

  test('the nearest whole number, the one further from zero of two as near', () => {
    const amounts = fc.integer({ min: -1_000_000, max: 1_000_000 });
    const factors = fc
      .tuple(fc.bigInt(-1000n, 1000n), fc.bigInt(1n, 1000n))
      .map(([numerator, denominator]) => fraction(numerator, denominator));
    fc.assert(
      fc.property(amounts, factors, (amount, factor) => {
        const exact = BigInt(amount) * factor.numerator;
        const rounded = BigInt(roundedTimes(amount, factor));
        // All in units of 1/denominator: how far, and on which side.
        const off = rounded * factor.denominator - exact;
        const distance = off < 0n ? -off : off;
        assert.ok(2n * distance <= factor.denominator);
        if (2n * distance === factor.denominator) assert.equal(off > 0n, exact > 0n);
      }),
      { numRuns: 1000 },
    );
  });

  test('plus and minus are mirrored', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), anyFraction, (amount, factor) => {
        assert.equal(roundedTimes(-amount, factor) + roundedTimes(amount, factor), 0);
      }),
    );
  });
});

describe('times and plus', () => {
  const same = (a: Fraction, b: Fraction) =>
    assert.equal(a.numerator * b.denominator, b.numerator * a.denominator);

  test('are exact', () => {
    fc.assert(
      fc.property(anyFraction, anyFraction, (a, b) => {
        const below = a.denominator * b.denominator;
        same(times(a, b), fraction(a.numerator * b.numerator, below));
        const above = a.numerator * b.denominator + b.numerator * a.denominator;
        same(plus(a, b), fraction(above, below));
        assert.ok(times(a, b).denominator > 0n && plus(a, b).denominator > 0n);
      }),
    );
  });

  test('stay small', () => {
    assert.deepEqual(times(fraction(2n, 3n), fraction(3n, 4n)), fraction(1n, 2n));
    assert.deepEqual(plus(fraction(1n, 6n), fraction(1n, 3n)), fraction(1n, 2n));
    assert.deepEqual(times(fraction(0n, 7n), fraction(-5n, 9n)), fraction(0n, 1n));
    assert.deepEqual(times(fraction(-4n, 6n), fraction(1n, 1n)), fraction(-2n, 3n));
  });
});
