import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedEncoding } from './accepted-encoding.ts';

const cases: [header: string | undefined, expected: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=1.0, *;q=0', 'gzip'],
  ['gzip;q=nonsense', undefined],
];

for (const [header, expected] of cases) {
  test(`Accept-Encoding: ${header ?? '(none)'}`, () => {
    assert.equal(acceptedEncoding(header), expected);
  });
}
