import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { eventually } from './support/eventually.ts';
import { openTestApp } from './support/harness.ts';
import { requestText } from './support/raw.ts';

const PIPELINED = 2_000;

const app = await openTestApp();
const secure = await openTestApp({ config: { tls: 'auto' } });
const sockets: Socket[] = [];
after(() => sockets.forEach((socket) => socket.destroy()));

function connectTo(url: string): Socket {
  const { hostname: host, port } = new URL(url);
  const options = { host, port: Number(port), rejectUnauthorized: false };
  const socket = url === secure.url ? connectTls(options) : connect(options);
  sockets.push(socket);
  return socket;
}

/** Sends bytes; the text is what has been received so far. */
function send(url: string, bytes: string): { socket: Socket; text: string } {
  const sent = { socket: connectTo(url), text: '' };
  sent.socket.setEncoding('utf8').on('data', (piece: string) => (sent.text += piece));
  // The service closes a connection whose bytes are not HTTP while more of them arrive.
  sent.socket.on('error', () => {});
  sent.socket.write(bytes);
  return sent;
}

const requests = (line: string) =>
  requestText(line, { Connection: 'keep-alive' }).repeat(PIPELINED);

/** The number of requests for a path that the service has answered. */
const answered = (path: string) =>
  app.logs.filter((line) => line.includes('"answered"') && line.includes(`"route":"${path}"`))
    .length;

describe('pipelined requests of one connection', () => {
  for (const [name, { url }] of Object.entries({ 'without TLS': app, 'with TLS': secure })) {
    test(`${name}: all are answered in order, while another client is served`, async () => {
      const sent = send(url, requests('GET /healthz') + requestText('GET /svc/v2/nothing'));
      for (let i = 0; i < 5; i++) assert.equal((await app.call('~/readyz')).status, 200);
      await eventually(() => assert.match(sent.text, /rest_no_route/));
      assert.equal(sent.text.split('{"status":"ok"}').length - 1, PIPELINED);
    });

    test(`${name}: bytes that are not HTTP are refused after the responses to what precedes them`, async () => {
      const good = requestText('GET /readyz', { Connection: 'keep-alive' }).repeat(100);
      const sent = send(url, `${good}no HTTP\r\n\r\nat all\r\n\r\n`);
      await once(sent.socket, 'close');
      const statuses = sent.text.match(/(?<=HTTP\/1\.1 )\d+/g);
      assert.deepEqual(statuses, [...Array<string>(100).fill('200'), '400']);
      assert.match(sent.text, /\{"code":"rest_bad_request"[^}]+\}\}$/);
    });

    test(`${name}: so is a body that breaks off into what is not HTTP`, async () => {
      const good = requestText('GET /readyz', { Connection: 'keep-alive' }).repeat(20);
      const head = requestText('POST /session', {
        'Transfer-Encoding': 'chunked',
        'Content-Type': 'application/json',
      });
      const sent = send(url, `${good}${head}5\r\nfalse\r\nzzz\r\n`);
      await once(sent.socket, 'close');
      const statuses = sent.text.match(/(?<=HTTP\/1\.1 )\d+/g);
      assert.deepEqual(statuses, [...Array<string>(20).fill('200'), '400']);
    });
  }

  test('are not processed while their client does not read', async () => {
    const socket = connectTo(app.url);
    socket.pause();
    socket.write(requests('GET /docs'));
    await eventually(() => assert.ok(answered('/docs') > 0));
    for (let i = 0; i < 20; i++) assert.equal((await app.call('~/healthz')).status, 200);
    // The network buffers hold some responses; the service works on at most eight more.
    const done = answered('/docs');
    assert.ok(done < PIPELINED / 4, `${done} answered`);
  });
});
