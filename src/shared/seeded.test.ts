import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SeededRandom } from './seeded.ts';

const take = (seed: number, count: number) => {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => random.fraction());
};

describe('SeededRandom', () => {
  test('the same seed gives the same numbers, another seed others', () => {
    assert.deepEqual(take(7, 100), take(7, 100));
    assert.notDeepEqual(take(7, 100), take(8, 100));
  });

  test('the numbers never change: data sets stay comparable from release to release', () => {
    assert.deepEqual(
      take(1, 3).map((n) => Math.round(n * 1e6)),
      [627_074, 2736, 527_447],
    );
  });

  test('fractions are spread evenly from 0 to 1', () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const n of take(3, 10_000)) tenths[Math.floor(n * 10)]! += 1;
    for (const count of tenths) assert.ok(count > 850 && count < 1150, tenths.join(' '));
  });

  test('whole numbers reach both ends and never pass them', () => {
    const random = new SeededRandom(5);
    const seen = new Set(Array.from({ length: 500 }, () => random.between(2, 6)));
    assert.deepEqual([...seen].sort(), [2, 3, 4, 5, 6]);
  });

  test('what is popular is picked more often, the rest is not left out', () => {
    const random = new SeededRandom(5);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[random.pickPopular([0, 1, 2, 3])]! += 1;
    assert.ok(counts[0]! > counts[1]! && counts[1]! > counts[3]! && counts[3]! > 300);
  });
});
