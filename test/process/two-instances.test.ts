import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { testServer } from '../postgres/databases.ts';
import { eventually } from '../support/eventually.ts';
import { Receiver } from '../support/receiver.ts';
import { databaseUrlOf, emptyDatabaseFor } from './installation-database.ts';
import { KeyMaker } from './key-maker.ts';
import { tempFolder } from './launch.ts';
import { checkDatabase, rowsIn } from './look-inside.ts';
import { createKey, install } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const settings = { 'api.rate_per_minute': 1_000_000 };
const ROUNDS = 3;
const CLIENTS = 8;
const LIFE_MAX_MS = 300;
/** Of the clients of the survivor, which work for as long as others take to start. */
const PAUSE_MS = 30;

if (testServer() !== undefined) {
  // Concurrent, because the tests partly wait.
  describe('instances on one server', { concurrency: 2 }, onServer);
}

function onServer(): void {
  describe('two that start at the same moment on an empty database', { concurrency: 1 }, () => {
    for (let round = 1; round <= 2; round += 1) {
      test(`and an empty folder that they share: both come up, ${round}`, async () => {
        const data = join(tempFolder(), 'data');
        await emptyDatabaseFor(data);
        const start = () => startServer(data, [], { env: administrator() });
        await assertSame(data, await Promise.all([start(), start()]));
      });
    }

    test('and a folder each with the same secret: both come up', async () => {
      const { data: known } = await install();
      const folders = [tempFolder(), tempFolder()].map((folder) => join(folder, 'data'));
      for (const folder of folders) {
        mkdirSync(folder);
        copyFileSync(dataFolder(known).secretFile, dataFolder(folder).secretFile);
      }
      await emptyDatabaseFor(folders[0]!);
      const env = { ...administrator(), DATABASE_URL: (await databaseUrlOf(folders[0]!))! };
      const servers = await Promise.all(folders.map((folder) => startServer(folder, [], { env })));
      await assertSame(folders[0]!, servers);
    });
  });

  test('kill -9 of one under load: nothing acknowledged is lost, the other goes on', async () => {
    const { data, key } = await install(settings);
    const survivor = await startServer(data);
    const acknowledged = new Set<number>();
    let cutOff = 0;
    const keep = ({ made, inFlight }: KeyMaker) => {
      for (const { id } of made) acknowledged.add(id);
      if (inFlight) cutOff += 1;
    };
    const there = makersOn(survivor, key, PAUSE_MS);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const victim = await startServer(data);
      const here = makersOn(victim, key);
      const ends = here.map((maker) => maker.ended.catch(() => {}));
      await eventually(() => assert.ok(here.some(({ made }) => made.length > 0)));
      await setTimeout(Math.random() * LIFE_MAX_MS);
      victim.child.kill('SIGKILL');
      await Promise.all(ends);
      here.forEach(keep);
      const before = there.map(({ made }) => made.length);
      await eventually(() => {
        assert.ok(
          there.every(({ made }, i) => made.length > before[i]!),
          'the other goes on',
        );
      });
    }
    await Promise.all(there.map((maker) => maker.stop()));
    there.forEach(keep);

    assert.ok(cutOff > 0);
    const feed = await readFeed(survivor, key);
    const { keys, events } = await checkDatabase(data);
    assert.deepEqual(
      [...acknowledged].filter((id) => !keys.has(id)),
      [],
    );
    assert.ok(keys.size - 1 - acknowledged.size <= cutOff, 'keys from nowhere');
    assert.equal(feed.length, events, 'the survivor lists every event');
    assertNoComplaint(survivor);
    assert.equal((await survivor.stop()).code, 0);
  });

  test('the jobs of a killed one are taken over when its leases have run out', async () => {
    const { data, key } = await install({ ...settings, 'webhooks.allow_private': true });
    const first = await startServer(data);
    const receiver = await new Receiver().listen();
    const json = { url: receiver.url, events: ['key.created'] };
    const webhook = await first.call('/webhooks', { method: 'POST', key, json });
    assert.equal(webhook.status, 201, webhook.text);
    await createKey(data, 'admin', 'read');
    await eventually(() => assert.equal(receiver.received.length, 1));
    const done = "select 1 as done from webhook_deliveries where state = 'delivered'";
    await eventually(async () => assert.equal((await rowsIn(data, done)).length, 1));
    const [holder] = await rowsIn(
      data,
      "select holder from leases where name = 'webhooks.deliver'",
    );
    const second = await startServer(data);
    await first.stop('SIGKILL');

    const { body } = await second.call('/keys', { method: 'POST', key, json: {} });
    await eventually(() => assert.equal(receiver.received.length, 2, second.output.stderr));
    assert.equal(receiver.received[1]!.message.data['key_id'], body.id);
    const [next] = await rowsIn(data, "select holder from leases where name = 'webhooks.deliver'");
    assert.notEqual(next!['holder'], holder!['holder']);
    assert.equal((await second.stop()).code, 0);
    assert.equal(receiver.received.length, 2, 'each event once');
  });
}

/** The variables that create the first administrator. */
function administrator(): Record<string, string> {
  const file = join(tempFolder(), 'password');
  writeFileSync(file, 'correct horse battery\n');
  return {
    TRIBUTARY_ADMIN_EMAIL: 'root@test.example',
    TRIBUTARY_ADMIN_LOGIN: 'root',
    TRIBUTARY_ADMIN_PASSWORD_FILE: file,
  };
}

const makersOn = (server: Server, key: string, pauseMs?: number) =>
  Array.from({ length: CLIENTS }, () => new KeyMaker(server, key, pauseMs));

/** Both serve one installation, which was created once. */
async function assertSame(data: string, servers: Server[]): Promise<void> {
  const { token } = await createKey(data, 'root', 'read');
  for (const server of servers) {
    assert.equal((await server.call('~/readyz')).status, 200);
    const { status, text } = await server.call('/me', { key: token });
    assert.equal(status, 200, text);
    assertNoComplaint(server);
  }
  const migrations = await rowsIn(data, 'select name from migrations');
  const told = servers.flatMap(({ output }) => [
    ...output.stderr.matchAll(/"applied":\[([^\]]+)\]/g),
  ]);
  const applied = told.flatMap(([, names]) => names!.split(','));
  assert.equal(applied.length, migrations.length, 'each by one of the two');
  for (const server of servers) assert.equal((await server.stop()).code, 0);
}

function assertNoComplaint({ output }: Server): void {
  const lines = output.stderr.split('\n');
  assert.deepEqual(
    lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line)),
    [],
  );
}

async function readFeed(server: Server, key: string): Promise<{ id: number }[]> {
  const feed: { id: number }[] = [];
  for (;;) {
    const after = feed.at(-1)?.id ?? 0;
    const { body } = await server.call(`/events?after=${after}&per_page=100`, { key });
    if (body.length === 0) return feed;
    feed.push(...body);
  }
}
