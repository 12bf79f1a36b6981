import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isIban } from './iban.ts';

describe('an IBAN', () => {
  for (const iban of [
    'DE89370400440532013000',
    'GB29 NWBK 6016 1331 9268 19',
    'fr1420041010050500013m02606',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ]) {
    test(`${iban} is one`, () => assert.ok(isIban(iban)));
  }

  for (const [why, text] of [
    ['one digit is wrong', 'DE89370400440532013001'],
    ['two digits are swapped', 'DE89370400440532010300'],
    ['it is too short', 'DE8937040044'],
    ['it is too long', 'DE8937040044053201300037040044053201300'],
    ['it has no country', '89370400440532013000'],
    ['it holds something else', 'DE89-3704-0044-0532-0130-00'],
    ['it is empty', ''],
  ] as const) {
    test(`${text} is none: ${why}`, () => assert.ok(!isIban(text)));
  }
});
