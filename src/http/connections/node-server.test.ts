import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { requestText } from '../../../test/support/raw.ts';
import { OpenWork } from '../../shared/open-work.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { createNodeServer } from './node-server.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const FIRST_REQUEST_TIMEOUT_MS = 5_000;

/** A server, a client that is connected to it, and the server's socket for it. */
async function connected(t: TestContext) {
  // The server starts its timer when it accepts the connection.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const proxies = new TrustedProxies([]);
  const connections = { all: 10, perNetwork: 10 };
  const server = createNodeServer((_request, response) => response.end('answered'), {
    tls: undefined,
    connections,
    connectionLimits: new ConnectionLimits(connections, proxies, pino({ level: 'silent' })),
    proxies,
    openRequests: new OpenWork(),
  });
  // `once` resolves with the arguments of the event; its type has no arguments per event.
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a TCP port has an AddressInfo.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => (client.destroy(), server.close()));
  const [[own]] = await Promise.all([accepted, once(client, 'connect')]);
  return { client, own };
}

test('a connection that sends nothing is closed', async (t) => {
  const { client } = await connected(t);
  t.mock.timers.tick(FIRST_REQUEST_TIMEOUT_MS);
  client.resume();
  await once(client, 'close');
});

test('a request that arrived in time is answered, even if the process was too busy to read it', async (t) => {
  const { client, own } = await connected(t);
  // Timers run before the process reads from its connections, as after this immediate.
  await setImmediate();
  client.write(requestText('GET /', { Connection: 'close' }));
  t.mock.timers.tick(FIRST_REQUEST_TIMEOUT_MS);
  assert.equal(own.bytesRead, 0);
  assert.match(await text(client), /answered$/);
});
