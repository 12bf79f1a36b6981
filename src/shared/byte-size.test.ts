import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeText } from './byte-size.ts';

test('a limit is named in the unit that it was chosen in', () => {
  const named = [5_000_000, 1_500_000, 256_000, 16 * 1024, 1024 * 1024, 300].map(sizeText);
  assert.deepEqual(named, ['5 MB', '1.5 MB', '256 kB', '16 KiB', '1 MiB', '300 bytes']);
});
