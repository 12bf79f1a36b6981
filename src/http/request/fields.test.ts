import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../test/support/seeded-random.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import { parseFields } from './fields.ts';

/** Returns plain objects, because `deepEqual` compares prototypes. */
const parse = (text: string) => JSON.parse(JSON.stringify(parseFields(text, 2_000, 'body')));

describe('a query string or a form', () => {
  const cases: [string, object][] = [
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: { 0: '1', 1: '2' } }],
    ['a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['r[0][items][0][total]=5', { r: { 0: { items: { 0: { total: '5' } } } } }],
    ['a=b+c', { a: 'b c' }],
    ['a=b%20c%C3%A4', { a: 'b cä' }],
    ['search=100%', { search: '100%' }],
    ['a=1&a[b]=2', { a: ['1', '2'] }],
    ['a[b]=1&a=2', { a: [{ b: '1' }, '2'] }],
    ['a[b', { 'a[b': '' }],
    ['a]b', { 'a]b': '' }],
    ['[a]=1', { '[a]': '1' }],
    ['a[b]c=1', { 'a[b]c': '1' }],
    ['a[][b]=1', { 'a[][b]': '1' }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ];
  for (const [text, expected] of cases) {
    test(`${text} is ${JSON.stringify(expected)}`, () => assert.deepEqual(parse(text), expected));
  }

  test('bytes that are not UTF-8 become text that no parameter accepts', () => {
    assert.equal(String(parseFields('a=%FF', 10, 'query')['a']).isWellFormed(), false);
  });

  test('has no prototype to be found in it, or to be changed', () => {
    for (const text of ['a=1', 'a[]=1', '__proto__=1', '__proto__[x]=1&a=1', 'a[__proto__][x]=1']) {
      assert.equal(parseFields(text, 10, 'query')['toString'], undefined, text);
    }
    const plain: Record<string, unknown> = {};
    assert.equal(plain['x'], undefined);
  });

  test('is refused when it is nested too deeply', () => {
    assert.throws(
      () => parseFields('a[1][2][3][4][5]=1', 10, 'query'),
      (error: ApiError) => 'a' in (error.data['params'] as object),
    );
  });

  test('is refused when it has too many fields', () => {
    const text = 'a=1&'.repeat(11);
    assert.throws(
      () => parseFields(text, 10, 'query'),
      (error: ApiError) =>
        (error.data['params'] as Record<string, string>)['query'] ===
        'must not have more than 10 fields',
    );
  });

  test('every plain pair is found again, and any text can be parsed', () => {
    const word = fc
      .string({ unit: 'grapheme', maxLength: 6 })
      .filter((text) => !/[[\]]/.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(word, word), { selector: ([name]) => name }), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        assert.deepEqual(parse(text), Object.fromEntries(pairs));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void parseFields(text, 2_000, 'body')),
    );
  });
});
