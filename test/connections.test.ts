import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { eventually, SAFETY_NET_MS } from './support/eventually.ts';
import { openTestApp, type TestApp } from './support/harness.ts';

const sockets: Socket[] = [];
after(() => sockets.forEach((socket) => socket.destroy()));

const openConnections = (app: TestApp) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

/** Connects from a loopback address; resolves with whether the server kept the connection open. */
async function open(app: TestApp, localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Whether a connection is served: a refused one is closed without a response. */
async function isServed(socket: Socket): Promise<boolean> {
  if (socket.closed) return false;
  // A socket that is reset closes too, after its error.
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
    socket.once('close', () => resolve(''));
  });
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return (await answer).startsWith('HTTP/1.1 200');
}

async function served(app: TestApp, address: string, count: number): Promise<number> {
  let sum = 0;
  for (let i = 0; i < count; i++) if (await isServed(await open(app, address))) sum += 1;
  return sum;
}

describe('connections of one network', () => {
  const config = { maxConnections: '100', networkConnections: '12', trustedProxies: '' };

  test('are limited; another network is still served', async () => {
    const app = await openTestApp({ config });
    assert.equal(await served(app, '127.0.0.1', 20), 12);
    assert.equal(await served(app, '127.0.0.2', 20), 12);
    assert.equal(await served(app, '127.0.0.3', 1), 1);
  });

  test('no longer count once they are closed', async () => {
    const app = await openTestApp({ config });
    const all = [];
    for (let i = 0; i < 12; i++) all.push(await open(app, '127.0.0.4'));
    assert.equal(await isServed(await open(app, '127.0.0.4')), false);
    for (const socket of all) socket.destroy();
    await eventually(async () => assert.equal(await openConnections(app), 0));
    assert.equal(await served(app, '127.0.0.4', 12), 12);
  });

  test('leave a quarter of all connections to networks with few', async () => {
    const app = await openTestApp({ config: { ...config, maxConnections: '40' } });
    assert.equal(await served(app, '127.0.0.1', 12), 12);
    assert.equal(await served(app, '127.0.0.2', 12), 12);
    assert.equal(await served(app, '127.0.0.3', 12), 6, 'three quarters are in use');
    for (let i = 10; i < 15; i++) assert.equal(await served(app, `127.0.0.${i}`, 2), 1);
  });

  test('of a trusted proxy are not counted, because they serve many clients', async () => {
    const app = await openTestApp({ config: { ...config, trustedProxies: '127.0.0.5' } });
    assert.equal(await served(app, '127.0.0.5', 30), 30);
  });

  test('are refused with one warning, not one per connection', async () => {
    const app = await openTestApp({ config });
    await served(app, '127.0.0.1', 15);
    const warnings = app.logs.filter((line) => line.includes('too many connections'));
    assert.equal(warnings.length, 1);
    assert.equal(JSON.parse(warnings[0]!).network, '127.0.0.1');
  });
});

describe('over TLS', () => {
  const tls = (app: TestApp, options: object) => {
    const { hostname, port } = new URL(app.url);
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      ...options,
    });
    sockets.push(socket);
    return socket;
  };

  test('a connection counts from before its handshake until it closes', async () => {
    const config = { tls: 'auto', networkConnections: '3', trustedProxies: '' };
    const app = await openTestApp({ config });
    const silent = [];
    for (let i = 0; i < 3; i++) silent.push(await open(app, '127.0.0.1'));
    await eventually(async () => assert.equal(await openConnections(app), 3));
    const refused = tls(app, {});
    const [error] = await once(refused, 'error');
    assert.equal(error.code, 'ECONNRESET');
    for (const socket of silent) socket.destroy();
    await eventually(async () => assert.equal(await openConnections(app), 0));
    for (let i = 0; i < 5; i++) {
      const socket = tls(app, {});
      await once(socket, 'secureConnect');
      const closed = once(socket, 'close');
      socket.end();
      await closed;
      await eventually(async () => assert.equal(await openConnections(app), 0));
    }
  });

  test('TLS 1.2 offers no CBC and only forward secrecy; TLS 1.3 is offered', async () => {
    const app = await openTestApp({ config: { tls: 'auto' } });
    const old = ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA384']
      .concat(['ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'AES128-SHA'])
      .join(':');
    const refused = tls(app, { maxVersion: 'TLSv1.2', ciphers: old });
    const [error] = await once(refused, 'error');
    assert.match(error.code, /HANDSHAKE_FAILURE|ECONNRESET/);

    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = tls(app, { minVersion: version, maxVersion: version });
      await once(socket, 'secureConnect');
      assert.equal(socket.getProtocol(), version);
      assert.match(socket.getCipher().standardName, /GCM|CHACHA20/);
      socket.destroy();
    }
  });

  test('the newest version and the strongest cipher are used, whatever the client prefers', async () => {
    const app = await openTestApp({ config: { tls: 'auto' } });
    const ciphers = [
      ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'],
      ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    ];
    for (const [maxVersion, offered] of [
      ['TLSv1.3', ciphers.flat()],
      ['TLSv1.2', ciphers[1]!],
    ] as const) {
      const socket = tls(app, { maxVersion, ciphers: offered.join(':') });
      await once(socket, 'secureConnect');
      assert.equal(socket.getProtocol(), maxVersion);
      assert.match(socket.getCipher().standardName, /AES_256_GCM/);
      socket.destroy();
    }
  });
});

describe('a connection that sends nothing', () => {
  const config = { trustedProxies: '' };

  test(
    'is closed sooner than one whose request is still arriving',
    { timeout: SAFETY_NET_MS },
    async () => {
      const app = await openTestApp({ config });
      const [silent, slow] = [await open(app, '127.0.0.1'), await open(app, '127.0.0.1')];
      slow.write('GET /healthz HTTP/1.1\r\n');
      silent.resume();
      await once(silent, 'close');
      assert.equal(silent.bytesRead, 0);
      assert.equal(slow.closed, false);
      assert.equal(slow.bytesRead, 0);
    },
  );

  test(
    'is closed after some seconds without a TLS handshake',
    { timeout: SAFETY_NET_MS },
    async () => {
      const app = await openTestApp({ config: { ...config, tls: 'auto' } });
      const silent = await open(app, '127.0.0.1');
      silent.resume();
      await once(silent, 'close');
    },
  );

  test('of a trusted proxy stays open', { timeout: SAFETY_NET_MS }, async () => {
    const app = await openTestApp({ config: { trustedProxies: '127.0.0.2' } });
    const [proxy, silent] = [await open(app, '127.0.0.2'), await open(app, '127.0.0.1')];
    silent.resume();
    await once(silent, 'close');
    assert.equal(await isServed(proxy), true);
  });
});
