import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

function filled(max: number): BoundedMap<number, string> {
  const map = new BoundedMap<number, string>(max);
  for (let key = 0; key < max; key++) map.set(key, `value ${key}`);
  return map;
}

describe('a bounded map', () => {
  test('holds as many keys as it may', () => {
    const map = filled(20);
    assert.equal(map.size, 20);
    assert.equal(map.get(0), 'value 0');
  });

  test('removes the oldest tenth for a new key', () => {
    const map = filled(20);
    map.set(20, 'new');
    assert.deepEqual([...map.keys()], [...Array.from({ length: 18 }, (_, i) => i + 2), 20]);
  });

  test('removes nothing for a key that it has', () => {
    const map = filled(20);
    map.set(5, 'changed');
    assert.equal(map.size, 20);
    assert.equal(map.get(5), 'changed');
  });

  test('a key that is deleted and set again counts as new', () => {
    const map = filled(10);
    map.delete(0);
    map.set(0, 'again');
    map.set(10, 'new');
    assert.equal(map.has(0), true);
    assert.equal(map.has(1), false);
  });

  test('a bound of one is a bound', () => {
    const map = filled(1);
    map.set(1, 'new');
    assert.deepEqual([...map], [[1, 'new']]);
  });

  test('never exceeds its bound, whatever is set and deleted', () => {
    const map = new BoundedMap<number, number>(7);
    for (let i = 0; i < 1_000; i++) {
      map.set((i * 31) % 19, i);
      if (i % 5 === 0) map.delete((i * 7) % 19);
      assert.ok(map.size <= 7);
    }
  });
});
