import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeated } from '../../bench/load.ts';

test('a round sends a request even if its time was over before the first connection', () => {
  const request = Buffer.from('GET / HTTP/1.1');
  const next = repeated([request], 0);
  assert.equal(next(), request);
  assert.equal(next(), undefined);
});
