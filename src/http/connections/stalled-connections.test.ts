import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { requestText } from '../../../test/support/raw.ts';
import { StalledConnections } from './stalled-connections.ts';

/** Larger than the buffers of the network, so that a part stays in the server. */
const RESPONSE = 'x'.repeat(32 * 1024 * 1024);
const KEEP_ALIVE_MS = 72_000;

const endings: (() => void)[] = [];
after(() => endings.forEach((end) => end()));

/** A client that sends a request and does not read, and the server's socket for it. */
async function connectWithoutReading(stalledMs: number): Promise<{ client: Socket; own: Socket }> {
  const stalled = new StalledConnections({ stalledMs, sweepMs: 10 });
  const server: Server = createServer((_request, response) => response.end(RESPONSE));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // `once` resolves with the arguments of the event; its type has no arguments per event.
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  server.on('connection', (socket: Socket) => stalled.watch(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on a TCP port has an AddressInfo.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {}).pause();
  client.write(requestText('GET /', { Connection: 'keep-alive' }));
  endings.push(() => (stalled.stop(), client.destroy(), server.close()));
  const [own] = await accepted;
  return { client, own };
}

describe('a connection whose peer does not read the response', () => {
  test('is closed', async () => {
    const { own } = await connectWithoutReading(50);
    await eventually(() => assert.equal(own.destroyed, true));
  });

  test('stays open if the peer reads later: then the keep-alive timeout applies', async () => {
    const { client, own } = await connectWithoutReading(600_000);
    await eventually(() => assert.equal(own.timeout, 600_000));
    client.resume();
    await eventually(() => assert.equal(own.writableLength, 0));
    // node:http waits a second longer than it announces.
    await eventually(() => assert.ok(own.timeout! <= KEEP_ALIVE_MS + 1_000, `${own.timeout}`));
    assert.equal(own.destroyed, false);
  });
});
