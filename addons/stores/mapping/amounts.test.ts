import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Currency } from '../../../src/shared/money.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { minorOf } from './amounts.ts';

const USD = new Currency('USD');
const JPY = new Currency('JPY');
const KWD = new Currency('KWD');

test('decimals become amounts of the currency, whatever decimals the store writes', () => {
  const cases: [unknown, Currency, number | undefined][] = [
    ['45.36', USD, 4536],
    ['4.2', USD, 420],
    ['4', USD, 400],
    ['0.00', USD, 0],
    ['-0.00', USD, 0],
    ['-19.49', USD, -1949],
    [5.521666666666667, USD, 552],
    ['1.005', USD, 101],
    ['2922.75', JPY, 2923],
    ['8774.00', JPY, 8774],
    ['24.319', KWD, 24_319],
    ['24.32', KWD, 24_320],
    ['9999999999.99', USD, 999_999_999_999],
    ['10000000000.01', USD, undefined],
    [1e21, USD, undefined],
    ['9'.repeat(61), USD, undefined],
    ['1,50', USD, undefined],
    ['', USD, undefined],
    [' 1', USD, undefined],
    [null, USD, undefined],
    [Number.NaN, USD, undefined],
    [{}, USD, undefined],
  ];
  for (const [decimal, currency, minor] of cases) {
    assert.equal(minorOf(decimal, currency), minor, `${String(decimal)} ${currency.code}`);
  }
});

test('an amount that a currency can hold is read back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.nat(3), (minor, zeros) => {
      for (const currency of [USD, JPY, KWD]) {
        const text = BigInt(Math.abs(minor))
          .toString()
          .padStart(currency.decimals + 1, '0');
        const whole = text.slice(0, text.length - currency.decimals);
        const digits = text.slice(text.length - currency.decimals) + '0'.repeat(zeros);
        const decimal = `${minor < 0 ? '-' : ''}${whole}${digits === '' ? '' : `.${digits}`}`;
        assert.equal(minorOf(decimal, currency), minor);
      }
    }),
  );
});
