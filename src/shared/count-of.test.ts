import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf } from './count-of.ts';

test('a count agrees with its noun', () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => countOf(n, 'order')),
    ['0 orders', '1 order', '2 orders'],
  );
  assert.deepEqual(
    [1, 3].map((n) => countOf(n, 'ledger entry', 'ledger entries')),
    ['1 ledger entry', '3 ledger entries'],
  );
});
