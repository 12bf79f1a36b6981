import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { costOf } from './json-shape.ts';

const LIMITS = { depth: 32, values: 20_000 };
const long = 'x'.repeat(40_000);
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":0`).join();
const nested = (depth: number) => '['.repeat(depth) + `"${long}"` + ']'.repeat(depth);

describe('costOf', () => {
  test('2,000 fields in one object are fine, one more is not', () => {
    assert.equal(costOf(`{"x":"${long}",${fields(1_999)}}`, LIMITS), undefined);
    const cost = costOf(`{"x":"${long}",${fields(2_000)}}`, LIMITS);
    assert.equal(cost, 'has an object with more than 2000 fields.');
    assert.ok(costOf(`[{"a":{"x":"${long}",${fields(2_000)}}}]`, LIMITS), 'wherever it is');
  });

  test('many objects with some fields each are fine', () => {
    assert.equal(
      costOf(`[${Array.from({ length: 3_000 }, () => `{${fields(5)}}`)}]`, LIMITS),
      undefined,
    );
  });

  test('20,000 values are fine, one more is not', () => {
    const values = (count: number) =>
      `["${long}",${Array.from({ length: count - 2 }, () => '[]')}]`;
    assert.equal(costOf(values(10_001), LIMITS), undefined);
    assert.equal(costOf(values(20_001), LIMITS), 'has more than 20000 values.');
    assert.equal(costOf(`[0${',0'.repeat(30_000)}]`, LIMITS), 'has more than 20000 values.');
  });

  test('20,000 escapes are fine, one more is not', () => {
    const escapes = (count: number) => `["${'\\n'.repeat(count)}"]`;
    assert.equal(costOf(escapes(20_000), LIMITS), undefined);
    assert.equal(costOf(escapes(20_001), LIMITS), 'has more than 20000 escapes.');
  });

  test('33 levels are one object and 32 in it; one more is too deep', () => {
    assert.equal(costOf(nested(33), LIMITS), undefined);
    assert.equal(costOf(nested(34), LIMITS), 'is nested deeper than 32 levels.');
    assert.equal(costOf('['.repeat(1_000_000), LIMITS), 'is nested deeper than 32 levels.');
  });

  test('the content of strings does not count', () => {
    const text = '{:[\\"'.repeat(9_000);
    assert.equal(costOf(`{"a":"${text}","b\\\\":"${text}"}`, LIMITS), undefined);
  });

  test('text that is not JSON is left to the parser', () => {
    for (const text of [`"${long}`, `]}${long}:`, `:${long}`, `"a\\`.repeat(6_000)]) {
      assert.equal(costOf(text, LIMITS), undefined, text.slice(0, 20));
    }
  });
});
