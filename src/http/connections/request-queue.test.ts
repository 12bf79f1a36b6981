import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.ts';
import { OpenWork } from '../../shared/open-work.ts';
import { RequestQueue } from './request-queue.ts';

/** A connection with stand-ins for requests and responses. */
class TestConnection {
  readonly name: string;
  readonly socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: () => (this.socket.destroyed = true),
    isPaused: false,
    pause: () => (this.socket.isPaused = true),
    resume: () => {
      this.socket.isPaused = false;
      this.socket.emit('resume');
    },
  });
  readonly responses: EventEmitter[] = [];

  constructor(name: string) {
    this.name = name;
  }

  send(queue: RequestQueue, count: number): void {
    for (let i = 1; i <= count; i++) {
      const request = { socket: this.socket, url: `${this.name}${i}` };
      const response = new EventEmitter();
      this.responses.push(response);
      // The queue uses only what these stand-ins have.
      queue.add(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    }
  }
}

/** A queue whose requests complete at once, or stay in flight. */
function queueOf(completes: boolean, work = () => {}) {
  const handled: string[] = [];
  const queue = new RequestQueue((request, response) => {
    handled.push(request.url!);
    work();
    if (completes) response.emit('close');
  }, new OpenWork());
  return { queue, handled };
}

function busyFor(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

/** Runs the event loop until no further request is handled. */
async function settle(handled: string[]): Promise<void> {
  let before: number;
  do {
    before = handled.length;
    for (let i = 0; i < 5; i++) await nextTurn();
  } while (handled.length > before);
}

describe('RequestQueue', () => {
  test('connections are served round robin, however many requests each has sent', async () => {
    const { queue, handled } = queueOf(true);
    const [a, b] = [new TestConnection('a'), new TestConnection('b')];
    a.send(queue, 100);
    b.send(queue, 3);
    await settle(handled);
    assert.deepEqual(handled.slice(0, 7), ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4']);
    assert.equal(handled.length, 103);
  });

  test('the requests of a connection are handled in their order', async () => {
    const { queue, handled } = queueOf(true);
    new TestConnection('a').send(queue, 30);
    await settle(handled);
    assert.deepEqual(
      handled,
      Array.from({ length: 30 }, (_, i) => `a${i + 1}`),
    );
  });

  test('the event loop turns between slices of work', async () => {
    const { queue, handled } = queueOf(true, () => busyFor(11));
    new TestConnection('a').send(queue, 5);
    await nextTurn();
    assert.equal(handled.length, 1, 'one took longer than a slice');
    await nextTurn();
    assert.equal(handled.length, 2);
    await settle(handled);
    assert.equal(handled.length, 5);
  });

  test('a connection that arrives during the work of another gets the next turn', async () => {
    const { queue, handled } = queueOf(true, () => busyFor(11));
    const [a, b] = [new TestConnection('a'), new TestConnection('b')];
    a.send(queue, 50);
    await nextTurn();
    b.send(queue, 1);
    await settle(handled);
    assert.ok(handled.indexOf('b1') <= 3, handled.slice(0, 10).join());
  });

  test('eight requests per connection are in flight; the next starts after a response', async () => {
    const { queue, handled } = queueOf(false);
    const a = new TestConnection('a');
    a.send(queue, 20);
    await settle(handled);
    assert.equal(handled.length, 8);
    a.responses[0]!.emit('close');
    await settle(handled);
    assert.equal(handled.length, 9);
  });

  test('requests that wait hold back reading, until they are handled', async () => {
    const { queue, handled } = queueOf(false);
    const a = new TestConnection('a');
    a.send(queue, 8);
    await settle(handled);
    a.send(queue, 3);
    assert.equal(a.socket.isPaused, false);
    a.send(queue, 2);
    assert.equal(a.socket.isPaused, true);
    a.socket.resume();
    assert.equal(a.socket.isPaused, true, 'whatever resumes it');
    a.responses[0]!.emit('close');
    await settle(handled);
    assert.equal(a.socket.isPaused, true, 'four still wait');
    a.responses[1]!.emit('close');
    await settle(handled);
    assert.equal(a.socket.isPaused, false);
  });

  test('node:http reads no further while nothing is answered', async () => {
    const queue = new RequestQueue(() => {}, new OpenWork());
    const server = createServer(queue.add).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [served] = (await once(server, 'connection')) as [Socket];
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500_000));
    await eventually(() => assert.ok(served.isPaused()));
    const bytesRead = served.bytesRead;
    for (let i = 0; i < 1_000; i++) await nextTurn();
    assert.ok(served.bytesRead - bytesRead <= 64 * 1024, `${served.bytesRead - bytesRead} more`);
    assert.ok(bytesRead <= 256 * 1024, `${bytesRead} of 14 MB were read`);
    client.destroy();
    served.destroy();
    server.close();
  });

  test('waiting requests of a disconnected peer are dropped', async () => {
    const { queue, handled } = queueOf(false);
    const a = new TestConnection('a');
    a.send(queue, 20);
    await settle(handled);
    a.socket.destroy();
    a.responses[0]!.emit('close');
    await settle(handled);
    assert.equal(handled.length, 8);
  });

  test('connections that pipeline are cut when too much waits on all of them', async () => {
    const { queue, handled } = queueOf(false);
    const greedy = Array.from({ length: 12 }, (_, i) => new TestConnection(`g${i}.`));
    for (const one of greedy) one.send(queue, 2_000);
    const modest = new TestConnection('m');
    modest.send(queue, 10);
    assert.equal(modest.socket.destroyed, false);
    assert.ok(greedy.filter(({ socket }) => socket.destroyed).length >= 1);
    await settle(handled);
    assert.equal(handled.filter((name) => name.startsWith('m')).length, 8);
  });
});
