import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseAny, parseQuery } from './body.ts';

describe('a query string', () => {
  test('is read the same, whichever way is taken', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'per_page',
        '__proto__',
        'constructor',
        '0',
        'a[]',
        'a[b]',
        'ä',
        '',
      ),
      fc.string({ maxLength: 3 }),
    );
    const value = fc.oneof(
      fc.constantFrom('', '1', '2026-11-15', '10:30', 'x.y', 'a b', 'a+b', 'a%20b', '%', '=', '&&'),
      fc.string({ maxLength: 5 }),
    );
    const pair = fc.oneof(
      fc.tuple(part, value).map(([name, of]) => `${name}=${of}`),
      part,
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const text = pairs.join('&');
        assert.deepEqual({ ...parseQuery(text) }, { ...parseAny(text) });
        assert.deepEqual(Object.keys(parseQuery(text)), Object.keys(parseAny(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  test('has no prototype to be found in it, or to be changed', () => {
    for (const text of ['a=1', 'a[]=1', '__proto__=1', '__proto__[x]=1&a=1']) {
      assert.equal(parseQuery(text)['toString'], undefined, text);
    }
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });
});
