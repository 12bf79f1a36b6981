import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SeededRandom } from '../../src/shared/seeded.ts';
import { testServer } from '../postgres/databases.ts';
import { BackgroundProcess } from '../support/background-process.ts';
import { eventually } from '../support/eventually.ts';
import { hang, Receiver, type Answering } from '../support/receiver.ts';
import { verify } from '../support/verify-signature.ts';
import { changeDatabase, rowsIn } from './look-inside.ts';
import { assertRefused, install, run, USAGE } from './run.ts';
import { startServer } from './running-server.ts';

const settings = { 'webhooks.allow_private': true, 'api.rate_per_minute': 1_000_000 };
const worker = (data: string) => BackgroundProcess.start(['worker', '--data', data]);

async function createWebhook(server: { call: Function }, key: string, url: string) {
  const json = { url, events: ['*'] };
  const reply = await server.call('/webhooks', { method: 'POST', key, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body as { id: number; secret: string };
}

/** Makes leases, retries and pauses due. */
function passTime(data: string): Promise<void> {
  return changeDatabase(
    data,
    'update webhook_deliveries set due_at = 0 where due_at is not null',
    'update webhooks set paused_until = 0',
    'update leases set until = 0',
  );
}

async function statesOf(data: string): Promise<Record<string, number>> {
  const rows = await rowsIn(
    data,
    'select state, count(*) as n from webhook_deliveries group by state',
  );
  return Object.fromEntries(rows.map((row) => [row['state'], Number(row['n'])]));
}

/** SQLite has one worker; on PostgreSQL others may stand by. */
async function tryAnother(data: string): Promise<void> {
  if (testServer() === undefined) {
    const refused = await run(['worker', '--data', data]);
    return assertRefused(refused, USAGE, /Another worker is running/);
  }
  const other = await worker(data);
  await other.says(/Working on/);
  assert.deepEqual(await other.stop(), { code: 0, signal: null });
}

describe('a worker of its own', () => {
  test('delivers while the server does not, and stops on SIGTERM', async () => {
    const { data, key } = await install(settings);
    const server = await startServer(data, ['--worker', 'off']);
    const receiver = await new Receiver().listen();
    await createWebhook(server, key, receiver.url);
    await server.call('/keys', { method: 'POST', key, json: {} });
    // The server stores the use of the key in a job; deliveries would be due before it.
    const used = 'select last_used_at from api_keys where last_used_at is not null';
    await eventually(async () => assert.ok((await rowsIn(data, used)).length > 0));
    const leases = await rowsIn(data, "select * from leases where name = 'webhooks.deliver'");
    assert.deepEqual([leases, receiver.received], [[], []], 'no worker delivers');
    assert.equal((await server.call('~/readyz')).status, 200, 'the server is fine');

    const process = await worker(data);
    await process.says(/Working on/);
    await eventually(() => assert.equal(receiver.received.length, 1));
    await tryAnother(data);

    // A restart of the server does not disturb the worker.
    await server.stop();
    const again = await startServer(data, ['--worker', 'off']);
    await again.call('/keys', { method: 'POST', key, json: {} });
    await eventually(() => assert.equal(receiver.received.length, 2));
    assert.deepEqual(await process.stop(), { code: 0, signal: null });
    await again.stop();
  });
});

/** Every way in which a receiver can go wrong, at random. */
function chaos(random: SeededRandom): Answering {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const ways: Answering[] = [
    (_request, response) => response.writeHead(200).end(),
    (_request, response) => response.writeHead(204).end(),
    (_request, response) => response.writeHead(500).end('no'),
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (request) => request.socket.resetAndDestroy(),
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    (_request, response) => response.writeHead(200).end('x'.repeat(1_000_000)),
    (_request, response) => void response.writeHead(200, { 'content-length': 100 }).write('drip'),
    async (_request, response) => {
      await setTimeout(300);
      response.writeHead(200).end();
    },
    hang,
  ];
  return (request, response, received) =>
    ways[random.between(0, ways.length - 1)]!(request, response, received);
}

test('receivers go wrong and workers are killed at random: nothing is lost, ids are stable', async () => {
  const EVENTS = 200;
  const LIVES = 3;
  const { data, key } = await install(settings);
  const server = await startServer(data, ['--worker', 'off']);
  const random = new SeededRandom(20_260_115);
  const receivers = await Promise.all(Array.from({ length: 5 }, () => new Receiver().listen()));
  const webhooks = [];
  for (const receiver of receivers) {
    receiver.answer = chaos(random);
    webhooks.push(await createWebhook(server, key, receiver.url));
  }
  const writing = (async () => {
    for (let i = 0; i < EVENTS; i++) {
      await server.call('/keys', { method: 'POST', key, json: {} });
      await setTimeout(5);
    }
  })();
  for (let life = 0; life < LIVES; life++) {
    const process = await worker(data);
    await process.says(/Working on/);
    await setTimeout(random.between(300, 1_200));
    await process.stop('SIGKILL');
    await passTime(data);
  }
  await writing;

  for (const receiver of receivers) receiver.answer = 200;
  const process = await worker(data);
  await process.says(/Working on/);
  await eventually(async () => {
    await passTime(data);
    const { pending = 0, delivered = 0, failed = 0 } = await statesOf(data);
    assert.deepEqual([pending, delivered, failed], [0, EVENTS * 5, 0]);
  });
  assert.deepEqual(await process.stop(), { code: 0, signal: null });
  await server.stop();

  for (const [index, receiver] of receivers.entries()) {
    const byId = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']));
    assert.equal(byId.size, EVENTS, 'every event has come');
    for (const [id, all] of byId) {
      assert.ok(all.every(({ message }) => id === `evt_${message.id}`));
      assert.equal(new Set(all.map(({ body }) => body)).size, 1, 'the same each time');
    }
    for (const received of receiver.received) verify(webhooks[index]!.secret, received);
  }
});
