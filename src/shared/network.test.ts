import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { networkOf } from './network.ts';

describe('networkOf', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['', ''],
  ] as const) {
    test(`${address || 'nothing'} is in ${network || 'none'}`, () => {
      assert.equal(networkOf(address), network);
    });
  }
});
