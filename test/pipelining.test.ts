import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { eventually } from './eventually.ts';
import { openTestApp } from './harness.ts';
import { requestText } from './raw.ts';

const PIPELINED = 2_000;

const app = await openTestApp();
const sockets: ReturnType<typeof connectTo>[] = [];
after(() => sockets.forEach((socket) => socket.destroy()));

function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

const requests = (line: string) =>
  requestText(line, { Connection: 'keep-alive' }).repeat(PIPELINED);

/** The number of requests for a path that the service has answered. */
const answered = (path: string) =>
  app.logs.filter((line) => line.includes('"answered"') && line.includes(`"route":"${path}"`))
    .length;

describe('pipelined requests of one connection', () => {
  test('are all answered in order, while another client is served', async () => {
    const socket = connectTo(app.url);
    sockets.push(socket);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    socket.write(requests('GET /healthz') + requestText('GET /svc/v2/nothing'));
    for (let i = 0; i < 5; i++) assert.equal((await app.call('~/readyz')).status, 200);
    await eventually(() => assert.match(text, /rest_no_route/));
    assert.equal(text.split('{"status":"ok"}').length - 1, PIPELINED);
  });

  test('are not processed while their client does not read', async () => {
    const socket = connectTo(app.url);
    sockets.push(socket);
    socket.pause();
    socket.write(requests('GET /docs'));
    await eventually(() => assert.ok(answered('/docs') > 0));
    for (let i = 0; i < 20; i++) assert.equal((await app.call('~/healthz')).status, 200);
    // The network buffers hold some responses; the service works on at most eight more.
    const done = answered('/docs');
    assert.ok(done < PIPELINED / 4, `${done} answered`);
  });
});
