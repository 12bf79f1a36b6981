import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { TrustedProxies } from '../src/http/connections/trusted-proxies.ts';
import { ConfigError } from '../src/installation/config.ts';
import { openTestApp, refusal } from './support/harness.ts';

/** A request as it arrives on a socket. */
function arriving(
  peer: string,
  headers: Record<string, string>,
  encrypted = false,
): IncomingMessage {
  // `TrustedProxies` reads only these properties.
  return { socket: { remoteAddress: peer, encrypted }, headers } as unknown as IncomingMessage;
}

const originOf = (entries: readonly string[], request: IncomingMessage) => {
  const { address, secure } = new TrustedProxies(entries).originOf(request);
  return { address, secure };
};

const forwarded = (addresses: string, protocols = '') => ({
  ...(addresses && { 'x-forwarded-for': addresses }),
  ...(protocols && { 'x-forwarded-proto': protocols }),
});

describe('TrustedProxies', () => {
  describe('trusts', () => {
    for (const [entries, address, expected] of [
      ['10.0.0.7', '10.0.0.7', true],
      ['10.0.0.7', '10.0.0.8', false],
      ['10.0.0.0/8', '10.255.255.255', true],
      ['10.0.0.0/8', '11.0.0.0', false],
      ['10.0.0.7/32', '10.0.0.7', true],
      ['10.0.0.7/32', '10.0.0.6', false],
      ['10.0.0.0/31', '10.0.0.1', true],
      ['0.0.0.0/0', '203.0.113.9', true],
      ['0.0.0.0/0', '2001:db8::1', false],
      ['2001:db8::1', '2001:db8:0:0::1', true],
      ['2001:db8::1', '2001:db8::2', false],
      ['2001:db8::/32', '2001:db8:ffff::1', true],
      ['2001:db8::/32', '2001:db9::1', false],
      ['fd00::/8', 'fdff::1', true],
      ['10.0.0.7 2001:db8::/32', '2001:db8::5', true],
      ['10.0.0.0/8', 'unknown', false],
      ['10.0.0.0/8', '', false],
    ] as const) {
      test(`${entries}: ${address || 'nothing'} ${expected ? 'yes' : 'no'}`, () => {
        assert.equal(new TrustedProxies(entries.split(' ')).trusts(address), expected);
      });
    }
  });

  describe('a bad entry is refused', () => {
    for (const entry of [
      'localhost',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0.0/x',
      '10.0.0.0/8/9',
      '256.0.0.1',
      '2001:db8::/129',
      '::g',
      '*',
      '',
    ]) {
      test(JSON.stringify(entry), () => {
        assert.throws(() => new TrustedProxies([entry]), /is not an address or a range/);
      });
    }

    test('the service does not start, and the message names the entry', async () => {
      await assert.rejects(
        openTestApp({ config: { trustedProxies: '10.0.0.1,nonsense' } }),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /TRIBUTARY_TRUSTED_PROXIES.*nonsense/);
          return true;
        },
      );
    });
  });

  describe('originOf', () => {
    const trusted = ['10.0.0.0/8', 'fd00::/8'];
    const cases: [
      why: string,
      peer: string,
      headers: Record<string, string>,
      address: string,
      secure: boolean,
    ][] = [
      ['without forwarding headers', '203.0.113.5', {}, '203.0.113.5', false],
      [
        'an untrusted client sends the headers',
        '203.0.113.5',
        forwarded('1.1.1.1', 'https'),
        '203.0.113.5',
        false,
      ],
      [
        'an untrusted client claims to be a proxy',
        '203.0.113.5',
        forwarded('10.0.0.1'),
        '203.0.113.5',
        false,
      ],
      ['a proxy without forwarding headers', '10.0.0.1', {}, '10.0.0.1', false],
      [
        'a proxy sends address and https',
        '10.0.0.1',
        forwarded('198.51.100.9', 'https'),
        '198.51.100.9',
        true,
      ],
      ['a proxy sends http', '10.0.0.1', forwarded('198.51.100.9', 'http'), '198.51.100.9', false],
      [
        'the scheme in capitals',
        '10.0.0.1',
        forwarded('198.51.100.9', 'HTTPS'),
        '198.51.100.9',
        true,
      ],
      ['an IPv6 proxy', 'fd00::1', forwarded('2001:db8::7', 'https'), '2001:db8::7', true],
      [
        'IPv4 through an IPv6 socket',
        '::ffff:10.0.0.1',
        forwarded('1.2.3.4', 'https'),
        '1.2.3.4',
        true,
      ],
      [
        'an untrusted client through an IPv6 socket',
        '::ffff:9.9.9.9',
        forwarded('1.2.3.4', 'https'),
        '9.9.9.9',
        false,
      ],
      ['an IPv4-mapped caller', '10.0.0.1', forwarded('::ffff:1.2.3.4', 'https'), '1.2.3.4', true],
      [
        'a chain of proxies',
        '10.0.0.1',
        forwarded('1.2.3.4, 10.0.0.3, 10.0.0.2', 'https'),
        '1.2.3.4',
        true,
      ],
      [
        'a forged address on the left',
        '10.0.0.1',
        forwarded('8.8.8.8, 1.2.3.4', 'https'),
        '1.2.3.4',
        true,
      ],
      [
        'a forged proxy address',
        '10.0.0.1',
        forwarded('10.9.9.9, 1.2.3.4', 'https'),
        '1.2.3.4',
        true,
      ],
      [
        'forged https and address',
        '10.0.0.1',
        forwarded('8.8.8.8, 1.2.3.4', 'https, http'),
        '1.2.3.4',
        false,
      ],
      ['forged https', '10.0.0.1', forwarded('1.2.3.4', 'https, http'), '1.2.3.4', false],
      [
        'https up to the first proxy',
        '10.0.0.1',
        forwarded('1.2.3.4, 10.0.0.2', 'https, http'),
        '1.2.3.4',
        true,
      ],
      [
        'http up to the first proxy',
        '10.0.0.1',
        forwarded('1.2.3.4, 10.0.0.2', 'http, https'),
        '1.2.3.4',
        false,
      ],
      ['all are proxies', '10.0.0.1', forwarded('10.0.0.3, 10.0.0.2', 'https'), '10.0.0.3', true],
      ['an invalid address', '10.0.0.1', forwarded('rubbish', 'https'), '10.0.0.1', true],
      ['an unknown scheme', '10.0.0.1', forwarded('1.2.3.4', 'gopher'), '1.2.3.4', false],
      [
        'empty headers',
        '10.0.0.1',
        { 'x-forwarded-for': '', 'x-forwarded-proto': '' },
        '10.0.0.1',
        false,
      ],
    ];
    for (const [why, peer, headers, address, secure] of cases) {
      test(`${why}: ${address}, ${secure ? 'secure' : 'not secure'}`, () => {
        assert.deepEqual(originOf(trusted, arriving(peer, headers)), { address, secure });
      });
    }

    test('TLS on the socket is secure, whatever an untrusted client claims', () => {
      const request = arriving('203.0.113.5', forwarded('1.1.1.1', 'http'), true);
      const expected = { address: '203.0.113.5', secure: true };
      assert.deepEqual(originOf(trusted, request), expected);
      assert.deepEqual(originOf([], request), expected);
    });

    test('by default no proxy is trusted', () => {
      const request = arriving('10.0.0.1', forwarded('1.1.1.1', 'https'));
      assert.deepEqual(originOf([], request), { address: '10.0.0.1', secure: false });
    });
  });
});

describe('a running service', () => {
  const trusting = ['127.0.0.1', '127.0.0.0/8', '::1,127.0.0.1', '10.0.0.0/8 127.0.0.0/30'];
  const notTrusting = ['', '10.0.0.0/8', '127.0.0.2', '::1'];
  const claims: Record<string, string>[] = [
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1, 127.0.0.2, ::1' },
    { forwarded: 'for=10.0.0.1;proto=https' },
    { 'x-forwarded-ssl': 'on', 'front-end-https': 'on', 'x-forwarded-scheme': 'https' },
  ];

  for (const trustedProxies of notTrusting) {
    test(`trusting ${trustedProxies || 'no proxy'}: no header makes a request secure`, async () => {
      const app = await openTestApp({ config: { trustedProxies } });
      const key = await app.key('maya', 'read');
      for (const headers of claims) {
        const reply = await app.call('/me', { key, headers, secure: false });
        assert.equal(refusal(reply), '401 svc_api_https_required', JSON.stringify(headers));
      }
    });

    test(`trusting ${trustedProxies || 'no proxy'}: no header changes the address`, async () => {
      const app = await openTestApp({ config: { trustedProxies } });
      // An unknown credential counts as a failure without HTTPS as well.
      const fail = (address: string) =>
        app.call('/me', {
          headers: {
            authorization: 'Digest x',
            'x-forwarded-for': address,
            'x-real-ip': address,
            forwarded: `for=${address}`,
          },
        });
      for (let i = 0; i < 10; i++) assert.equal((await fail(`198.51.100.${i}`)).status, 401);
      assert.equal(refusal(await fail('203.0.113.1')), '429 svc_api_too_many_auth_failures');
    });
  }

  for (const trustedProxies of trusting) {
    test(`trusting ${trustedProxies}: the proxy's headers set the scheme and the address`, async () => {
      const app = await openTestApp({ config: { trustedProxies } });
      const key = await app.key('maya', 'read');
      assert.equal((await app.call('/me', { key })).status, 200);
      for (const proto of ['http', 'gopher']) {
        const reply = await app.call('/me', { key, headers: { 'x-forwarded-proto': proto } });
        assert.equal(refusal(reply), '401 svc_api_https_required');
      }
      const from = (address: string, credential: string) =>
        app.call('/me', { key: credential, headers: { 'x-forwarded-for': address } });
      for (let i = 0; i < 10; i++) await from('198.51.100.1', 'bad');
      assert.equal(refusal(await from('198.51.100.1', key)), '429 svc_api_too_many_auth_failures');
      assert.equal((await from('198.51.100.2', key)).status, 200);
      const spoofed = await from('203.0.113.77, 198.51.100.1', key);
      assert.equal(refusal(spoofed), '429 svc_api_too_many_auth_failures');
    });
  }
});
