import assert from 'node:assert/strict';
import https from 'node:https';
import { before, describe, test } from 'node:test';
import tls from 'node:tls';
import { eventually } from '../support/eventually.ts';
import { ended, tempFolder, inTheEnd } from './launch.ts';
import { checkDatabase } from './look-inside.ts';
import { install } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const CONNECTIONS = 32;

/** What the clients of one server have seen in total. */
interface Seen {
  /** Set when the server gets SIGTERM. */
  signalled: boolean;
  answeredBefore: number;
  answeredAfter: number;
  /** Requests sent and not answered yet. */
  inFlight: number;
  keys: number[];
  /** Requests that were sent and got no answer, or not a good one. */
  broken: string[];
}

/**
 * One connection that is always in use: GET /me and POST /keys in turn, on a new connection where
 * the server has said that it closes this one. Ends when no connection can be made any more.
 */
async function keepAsking(server: Server, key: string, seen: Seen): Promise<void> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; await ask(server, key, turn % 2 === 0 ? 'GET' : 'POST', agent, seen); turn++);
  agent.destroy();
}

/** Resolves with whether a connection could be opened. */
function ask(
  server: Server,
  key: string,
  method: 'GET' | 'POST',
  agent: https.Agent,
  seen: Seen,
): Promise<boolean> {
  return new Promise((resolve) => {
    const body = method === 'POST' ? '{}' : '';
    const request = https.request({
      host: '127.0.0.1',
      port: server.port,
      path: method === 'GET' ? '/svc/v2/me' : '/svc/v2/keys',
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      },
      agent,
      ca: server.ca!,
    });
    // The request is sent after the TLS handshake.
    let sent = false;
    const send = () => {
      sent = true;
      seen.inFlight += 1;
    };
    const settle = (error?: string) => {
      if (sent) seen.inFlight -= 1;
      if (error !== undefined) seen.broken.push(`${method}: ${error}`);
      else if (seen.signalled) seen.answeredAfter += 1;
      else seen.answeredBefore += 1;
      resolve(true);
    };
    request.on('socket', (socket) => {
      if (request.reusedSocket) send();
      else socket.once('secureConnect', send);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (sent) return settle(`${error.code ?? error.message}, reused: ${request.reusedSocket}`);
      if (!seen.signalled) seen.broken.push(`refused before the stop: ${error.message}`);
      resolve(false);
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', () => {});
      response.on('close', () => {
        if (!response.complete) return settle('the answer was cut off');
        if (response.statusCode !== (method === 'GET' ? 200 : 201)) {
          return settle(`${response.statusCode} ${text}`);
        }
        if (method === 'POST') seen.keys.push((JSON.parse(text) as { id: number }).id);
        settle();
      });
    });
    request.end(body);
  });
}

/** A connection that has been used once and is silent now; resolves with all it was ever sent. */
async function idleConnection(server: Server): Promise<{ closed: Promise<string> }> {
  const socket = await connect(server);
  const closed = readAll(socket);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  return { closed };
}

/** A POST of which the last byte is still to come. */
async function unfinishedRequest(server: Server, path: string, key?: string) {
  const socket = await connect(server);
  const answer = readAll(socket);
  const credential = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}` +
      'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  // This response shows that the server has read the bytes above.
  await server.call('~/healthz');
  return { answer, finish: () => socket.write('}') };
}

function connect(server: Server): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port: server.port, ca: server.ca! });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves if a process listens on the port. */
async function knock(server: Server): Promise<void> {
  (await connect(server)).destroy();
}

function readAll(socket: tls.TLSSocket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  return new Promise((resolve) => {
    socket.on('error', (error) => (text += `[${error.message}]`));
    socket.on('close', () => resolve(text));
  });
}

describe('stopping', { concurrency: 2 }, () => {
  test('a client that never finishes its request does not keep the process', async () => {
    const server = await startServer(tempFolder());
    const { answer } = await unfinishedRequest(server, '/session');
    const { code } = await inTheEnd(server.stop(), 'the process');
    assert.equal(code, 0, server.output.stderr);
    assert.doesNotMatch(await answer, /^HTTP/);
  });

  test('it can be stopped as soon as it says that it runs', async () => {
    const server = await startServer(tempFolder());
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test('until a load balancer knows, it is no longer ready and goes on answering', async () => {
    const server = await startServer(tempFolder(), ['--stop-delay', '10']);
    const idle = await idleConnection(server);
    const exit = ended(server.child);
    server.child.kill('SIGTERM');
    const reply = await eventually(async () => {
      const ready = await server.call('~/readyz');
      assert.equal(ready.status, 503, ready.text);
      return ready;
    });
    assert.equal(reply.body.checks.serving, 'failing');
    const answer = await server.call('/me');
    assert.equal(answer.status, 401, 'new requests are answered');
    assert.equal(answer.headers.connection, 'close');
    assert.equal(server.child.exitCode, null);
    const { code } = await inTheEnd(exit, 'the process');
    assert.equal(code, 0, server.output.stderr);
    assert.match(
      await idle.closed,
      /^HTTP\/1\.1 200 [^[]*$/,
      'and its connection closes without an error',
    );
  });

  describe('under load', { concurrency: 1 }, () => {
    let data: string;
    let admin: string;
    before(async () => {
      ({ data, key: admin } = await install({ 'api.rate_per_minute': 1_000_000 }));
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`${signal}: every request that was sent is answered, and the process ends`, async () => {
        const server = await startServer(data);
        const seen: Seen = {
          signalled: false,
          answeredBefore: 0,
          answeredAfter: 0,
          inFlight: 0,
          keys: [],
          broken: [],
        };
        const clients = Array.from({ length: CONNECTIONS }, () => keepAsking(server, admin, seen));
        const idle = await Promise.all([idleConnection(server), idleConnection(server)]);
        const [slow, slower] = await Promise.all([
          unfinishedRequest(server, '/svc/v2/keys', admin),
          unfinishedRequest(server, '/svc/v2/keys', admin),
        ]);
        await eventually(() => assert.ok(seen.answeredBefore > 10 * CONNECTIONS));

        const exit = ended(server.child);
        const inFlight = seen.inFlight;
        seen.signalled = true;
        server.child.kill(signal);
        await eventually(() => assert.match(server.output.stderr, /"shutting down:/));
        slow.finish();
        await eventually(() => assert.rejects(knock(server), { code: 'ECONNREFUSED' }));
        slower.finish();
        const { code } = await inTheEnd(exit, 'the process');
        await inTheEnd(Promise.all(clients), 'the clients');

        assert.deepEqual(seen.broken, []);
        assert.equal(code, 0, server.output.stderr);
        assert.ok(inFlight >= CONNECTIONS / 2, `only ${inFlight} requests were under way`);
        assert.ok(seen.answeredAfter >= inFlight, 'those were answered');
        assert.equal(seen.inFlight, 0);

        const slowKeys = (await Promise.all([slow.answer, slower.answer])).map((answer) => {
          assert.match(answer, /^HTTP\/1\.1 201 /);
          assert.match(
            answer,
            /^connection: close\r$/im,
            'the client must not reuse this connection',
          );
          return (JSON.parse(answer.split('\r\n\r\n')[1]!) as { id: number }).id;
        });
        for (const { closed } of idle) {
          assert.match(
            await closed,
            /^HTTP\/1\.1 200 [^[]*$/,
            'an idle connection closes without an error',
          );
        }

        const { keys } = await checkDatabase(data);
        assert.ok(seen.keys.length > CONNECTIONS);
        assert.deepEqual(
          [...slowKeys, ...seen.keys].filter((id) => !keys.has(id)),
          [],
          'every acknowledged key is kept',
        );
      });
    }
  });
});
