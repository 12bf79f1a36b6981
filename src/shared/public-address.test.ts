import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../test/support/seeded-random.ts';
import { hostOf, isLoopbackHost, mayReach, addressKindOf } from './public-address.ts';

const table = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ],
  own: [
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::1',
    'fc00::1',
    'fdff::1',
  ],
  special: [
    '0.0.0.0',
    '0.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::5',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '8.8.8.8.',
    ' 8.8.8.8',
  ],
} as const;

for (const [reach, addresses] of Object.entries(table)) {
  describe(`${reach}:`, () => {
    for (const address of addresses) {
      test(address || '(empty)', () => assert.equal(addressKindOf(address), reach));
    }
  });
}

describe('may be reached', () => {
  test('private addresses only where that is allowed, special ones never', () => {
    assert.deepEqual(
      ['8.8.8.8', '10.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1'].map((address) => [
        mayReach(address, false),
        mayReach(address, true),
      ]),
      [
        [true, true],
        [false, true],
        [false, true],
        [false, false],
        [false, false],
      ],
    );
  });

  test('nothing that carries an IPv4 address inside an IPv6 one', () => {
    const ipv4 = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 })));
    const prefix = fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::', '2002:');
    fc.assert(
      fc.property(ipv4, prefix, (bytes, start) => {
        const [a, b, c, d] = bytes.map((n) => n.toString(16).padStart(2, '0'));
        const inside =
          start === '2002:' ? `2002:${a}${b}:${c}${d}::1` : `${start}${a}${b}:${c}${d}`;
        return !mayReach(inside, false);
      }),
    );
  });
});

describe('hosts', () => {
  test('of URLs, without brackets and final dots', () => {
    const hosts = ['https://[::1]:8443/x', 'https://shop.example./', 'https://0x7f.1/'];
    assert.deepEqual(
      hosts.map((url) => hostOf(new URL(url))),
      ['::1', 'shop.example', '127.0.0.1'],
    );
  });

  test('of this machine', () => {
    const own = ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'LOCALHOST', 'a.localhost'];
    assert.ok(own.every(isLoopbackHost));
    assert.ok(!['10.0.0.1', 'localhost.example', 'notlocalhost'].some(isLoopbackHost));
  });
});
