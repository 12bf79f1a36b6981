import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { costOf } from './json-shape.ts';

const long = 'x'.repeat(40_000);
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":0`).join();
const nested = (depth: number) => '['.repeat(depth) + `"${long}"` + ']'.repeat(depth);

describe('costOf', () => {
  test('2,000 fields in one object are fine, one more is not', () => {
    assert.equal(costOf(`{"x":"${long}",${fields(1_999)}}`, 32), undefined);
    const cost = costOf(`{"x":"${long}",${fields(2_000)}}`, 32);
    assert.equal(cost, 'has an object with more than 2000 fields.');
    assert.ok(costOf(`[{"a":{"x":"${long}",${fields(2_000)}}}]`, 32), 'wherever it is');
  });

  test('many objects with some fields each are fine', () => {
    assert.equal(
      costOf(`[${Array.from({ length: 5_000 }, () => `{${fields(5)}}`)}]`, 32),
      undefined,
    );
  });

  test('33 levels are one object and 32 in it; one more is too deep', () => {
    assert.equal(costOf(nested(33), 32), undefined);
    assert.equal(costOf(nested(34), 32), 'is nested deeper than 32 levels.');
    assert.equal(costOf('['.repeat(1_000_000), 32), 'is nested deeper than 32 levels.');
  });

  test('the content of strings does not count', () => {
    const text = '{:[\\"'.repeat(20_000);
    assert.equal(costOf(`{"a":"${text}","b\\\\":"${text}"}`, 32), undefined);
  });

  test('text that is not JSON is left to the parser', () => {
    for (const text of [`"${long}`, `]}${long}:`, `:${long}`, `"a\\`.repeat(10_000)]) {
      assert.equal(costOf(text, 32), undefined, text.slice(0, 20));
    }
  });
});
