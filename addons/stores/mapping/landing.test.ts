import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributionIn, fieldsIn, firstWithCode } from './landing.ts';

test('a landing page names the referral link that led to it', () => {
  const cases: [unknown, object][] = [
    ['https://shop.example/product/mug/?ref=ada10&utm_source=x', { referral_code: 'ada10' }],
    ['/product/mug/?Ref=ada10', { referral_code: 'ada10' }],
    ['/?via=old', { referral_code: 'old' }],
    ['/?via=old&ref=new', { referral_code: 'new' }],
    ['/?ref=&via=old', { referral_code: 'old' }],
    ['/?ref=%20ada%2010%20', { referral_code: 'ada 10' }],
    [
      '/?ref=ada10&click_id=77&visitor=v-1',
      { click_id: 77, visitor: 'v-1', referral_code: 'ada10' },
    ],
    // What an order would refuse is left out, and the rest still counts.
    ['/?click_id=0x10&visitor=&ref=ada10', { referral_code: 'ada10' }],
    [`/?click_id=99999999999999999&visitor=${'v'.repeat(201)}&ref=${'c'.repeat(51)}`, {}],
    ['/?ref=%00', {}],
    ['/?utm_source=x', {}],
    ['https://', {}],
    [`/?ref=${'c'.repeat(9_000)}`, {}],
    [undefined, {}],
    [{ ref: 'ada10' }, {}],
  ];
  for (const [address, attribution] of cases) {
    assert.deepEqual(attributionIn(address, ['ref', 'via']), attribution, String(address));
  }
  assert.deepEqual(attributionIn('/?ref=ada10', []), {});
});

test('fields of a checkout name the link, whatever their types', () => {
  const fields: [string, unknown][] = [
    ['referral_code', 'ada10'],
    ['click_id', 77],
    ['visitor', 'v-1'],
    ['ref', 'other'],
    ['gift', { wrapped: true }],
  ];
  const ada = { referral_code: 'ada10', click_id: 77, visitor: 'v-1' };
  assert.deepEqual(fieldsIn(fields, ['ref']), ada);
  assert.deepEqual(fieldsIn(fields.slice(3), ['ref']), { referral_code: 'other' });
  assert.deepEqual(fieldsIn([['referral_code', '']], ['ref']), {});
});

test('sources are not mixed: the first with a code counts, then the first with anything', () => {
  const click = { click_id: 7 };
  const ada = { referral_code: 'ada10' };
  const bob = { referral_code: 'bob15', click_id: 8 };
  assert.deepEqual(firstWithCode([ada, bob]), ada);
  assert.deepEqual(firstWithCode([click, bob]), bob);
  assert.deepEqual(firstWithCode([{}, click]), click);
  assert.deepEqual(firstWithCode([{}]), {});
});
