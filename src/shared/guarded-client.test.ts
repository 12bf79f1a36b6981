import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { SAFETY_NET_MS } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/free-port.ts';
import { Receiver } from '../../test/support/receiver.ts';
import { GuardedClient } from './guarded-client.ts';
import type { Guard } from './guarded-connect.ts';
import { TransportError } from './transport-error.ts';

function client(guard: Partial<Guard> = {}): GuardedClient {
  const made = new GuardedClient(guard);
  after(() => made.close());
  return made;
}

const local = client({ allowPrivate: true });
const message = {
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: SAFETY_NET_MS,
};

async function errorOf(sending: Promise<unknown>): Promise<string> {
  const error = await sending.then(
    () => assert.fail('it was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransportError, String(error));
  return error.error;
}

/** A server of bytes on loopback, closed after the tests. */
async function rawServer(onConnection: (socket: net.Socket) => void): Promise<URL> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe('a response', () => {
  test('is its status, with Retry-After', async () => {
    const receiver = await new Receiver().listen();
    const url = new URL(receiver.url);
    const text = '';
    const { headers, ...plain } = await local.post(url, message);
    assert.deepEqual(plain, { status: 200, retryAfter: undefined, text, isCut: false });
    assert.equal(headers['connection'], 'keep-alive');
    receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '7' }).end();
    const { headers: _others, ...refused } = await local.post(url, message);
    assert.deepEqual(refused, { status: 503, retryAfter: '7', text, isCut: false });
    for (let i = 0; i < 10; i++) await local.post(url, message);
    assert.ok(receiver.connections <= 2, 'connections are used again');
  });

  test('has the beginning of its text with readsText', async () => {
    const receiver = await new Receiver().listen();
    receiver.answer = (_request, response) => response.writeHead(422).end('what is wrong');
    const answer = await local.post(new URL(receiver.url), { ...message, readsText: true });
    assert.equal(answer.text, 'what is wrong');
  });

  test('that redirects is returned, and not followed', async () => {
    const [receiver, elsewhere] = [await new Receiver().listen(), await new Receiver().listen()];
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = (_request, response) =>
        response.writeHead(status, { location: elsewhere.url }).end();
      assert.equal((await local.post(new URL(receiver.url), message)).status, status);
    }
    assert.equal(elsewhere.connections, 0);
  });

  test('without an end is read for 4 KB', async () => {
    let written = 0;
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = () => {
        written += 1;
        socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`);
      };
      const timer = setInterval(more, 1);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal((await local.post(url, message)).status, 200);
    assert.ok(written < 1_000, `cut off after ${written} KB`);
  });

  test('that is announced as huge is not read at all', async () => {
    const receiver = await new Receiver().listen();
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 1e12 });
      response.write('x');
    };
    assert.equal((await local.post(new URL(receiver.url), message)).status, 200);
  });

  test('that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const receiver = await new Receiver().listen();
    receiver.answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const before = process.memoryUsage().rss;
    assert.equal((await local.post(new URL(receiver.url), message)).status, 200);
    assert.ok(process.memoryUsage().rss - before < 30_000_000);
  });

  test('that arrives slowly ends with the timeout', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal((await local.post(url, { ...message, timeoutMs: 2_000 })).status, 200);
  });
});

describe('faults have a fixed set of messages:', () => {
  test('no response in time, or headers that arrive slowly', async () => {
    const short = { ...message, timeoutMs: 200 };
    assert.equal(await errorOf(local.post(await rawServer(() => {}), short)), 'timeout');
    const dripping = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal(await errorOf(local.post(dripping, short)), 'timeout');
  });

  test('a closed connection', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    assert.equal(await errorOf(local.post(url, message)), 'reset');
    const ending = await rawServer((socket) => socket.once('data', () => socket.end()));
    assert.equal(await errorOf(local.post(ending, message)), 'reset');
  });

  test('no server', async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}/`);
    assert.equal(await errorOf(local.post(url, message)), 'refused');
  });

  test('no HTTP', async () => {
    const url = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    assert.equal(await errorOf(local.post(url, message)), 'invalid');
  });

  test('a head that is too large', async () => {
    const url = await rawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
    );
    assert.equal(await errorOf(local.post(url, message)), 'too-large');
  });

  test('an unknown name', async () => {
    const failing = client({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) });
    const empty = client({ resolve: async () => [] });
    const url = new URL('https://shop.example/');
    assert.equal(await errorOf(failing.post(url, message)), 'dns');
    assert.equal(await errorOf(empty.post(url, message)), 'dns');
  });

  test('a name server that never answers', async () => {
    const hanging = client({ resolve: () => new Promise(() => {}) });
    // Connecting has a separate limit, far below that of the whole exchange.
    const post = hanging.post(new URL('https://shop.example/'), message);
    assert.equal(await errorOf(post), 'timeout');
  });
});

describe('TLS', async () => {
  const pem = await generate([{ name: 'commonName', value: 'receiver.example' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'receiver.example' }] }],
  });
  const server = https.createServer({ key: pem.private, cert: pem.cert }, (_request, response) => {
    response.writeHead(200).end();
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const resolve = async () => ['127.0.0.1'];
  const trusting = client({ allowPrivate: true, resolve, ca: pem.cert });

  test('a trusted certificate of that name', async () => {
    for (const host of ['receiver.example', 'receiver.example.']) {
      const { status } = await trusting.post(new URL(`https://${host}:${port}/`), message);
      assert.equal(status, 200);
    }
  });

  test('one for another name, or of an unknown authority, is refused', async () => {
    const other = trusting.post(new URL(`https://other.example:${port}/`), message);
    assert.equal(await errorOf(other), 'tls');
    const doubting = client({ allowPrivate: true, resolve });
    const unknown = doubting.post(new URL(`https://receiver.example:${port}/`), message);
    assert.equal(await errorOf(unknown), 'tls');
  });

  test('a server that speaks none', async () => {
    const plain = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const url = new URL(`https://receiver.example:${plain.port}/`);
    assert.equal(await errorOf(trusting.post(url, message)), 'tls');
  });
});

describe('a proxy of the environment', () => {
  test('is not used', async () => {
    const proxy = http.createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    after(() => proxy.close());
    let asked = 0;
    proxy.on('connection', () => (asked += 1));
    await new Promise((resolve) => proxy.once('listening', resolve));
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'];
    for (const name of names) process.env[name] = address;
    try {
      const receiver = await new Receiver().listen();
      assert.equal(
        (await client({ allowPrivate: true }).post(new URL(receiver.url), message)).status,
        200,
      );
      assert.equal(asked, 0);
    } finally {
      for (const name of names) delete process.env[name];
    }
  });
});
