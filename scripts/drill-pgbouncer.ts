import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServer } from '../test/postgres/databases.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { findRedisProgram, startRedis } from '../test/redis/server.ts';
import { eventually } from '../test/support/eventually.ts';
import type { Api } from '../test/upgrades/fill-store.ts';
import { DrillClients } from './drill-clients.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { serve, setUp } from './release-service.ts';

/**
 * npm run drill:pgbouncer [-- SECONDS]
 *
 * Two instances on PostgreSQL behind PgBouncer in transaction mode, with Redis: migrations, changes and reads under
 * load, webhooks, and a change of one instance that the other has to notice.
 */
const SECONDS = Number(process.argv[2] ?? 30);
const DATABASE = 'tributary';
const STORE = '/svc/store/v1';

const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
chmodSync(folder, 0o755);
const server = await startPrivateServer({ settings: {} });
const redis = await startRedis(findRedisProgram());
process.env['REDIS_URL'] = redis.url;
const pooler = await startPgBouncer(server.url, folder);
const receiver = createServer((request, response) => {
  received.add(String(request.headers['webhook-id']));
  request.resume().on('end', () => response.writeHead(204).end());
});
const received = new Set<string>();
try {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await onServer(
    server.url,
    `create database ${DATABASE} template template0`,
    `alter role tests set statement_timeout = '30s'`,
    `alter role tests set idle_in_transaction_session_timeout = '5s'`,
    `alter role tests set plan_cache_mode = force_generic_plan`,
    `alter role tests set default_transaction_isolation = 'read committed'`,
  );
  const program = join(import.meta.dirname, '../src/main.ts');
  const service = { program, data: join(folder, 'data'), url: pooler.url(DATABASE) };
  const token = setUp(service);
  console.log(`PgBouncer ${pooler.version}: an empty database was migrated through it`);
  await serve(service, token, (api, one) =>
    serve(service, token, (other, two) => drill({ api, other, bases: [one, two], token })),
  );
} finally {
  receiver.close();
  await pooler.stop();
  await redis.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Instances {
  readonly api: Api;
  readonly other: Api;
  readonly bases: readonly string[];
  readonly token: string;
}

async function drill({ api, other, bases, token }: Instances): Promise<void> {
  await api('PATCH', `${STORE}/settings`, { 'webhooks.allow_private': true });
  const { port } = receiver.address() as AddressInfo;
  await api('POST', '/svc/v2/webhooks', {
    url: `http://127.0.0.1:${port}/`,
    events: ['payout.paid'],
  });
  const clients = await DrillClients.create({ bases, token }, api);
  clients.start();
  await sleep(SECONDS * 1000);
  const sessions = `select from pg_stat_activity where datname = '${DATABASE}'`;
  const connections = (await onServer(server.url, sessions)).length;
  await clients.stop();

  const { lost, doubled } = await clients.compare((sql) => onServer(pooler.url(DATABASE), sql));
  const { ok } = await api('GET', `${STORE}/ledger/verify`);
  const { orders, payouts } = clients.acknowledged;
  console.log(
    `${orders} orders and ${payouts} payouts in ${SECONDS} s: ${lost} lost, ${doubled} doubled`,
  );
  console.log('Responses:', Object.fromEntries(clients.responses));
  console.log(`${connections} connections to the server, ${pooler.poolSize} allowed`);
  assert.deepEqual([lost, doubled, ok], [0, 0, true]);
  assert.deepEqual(
    [...clients.responses.keys()].filter((name) => !/ 20[01]$/.test(name)),
    [],
  );
  assert.ok(connections <= pooler.poolSize);

  await eventually(() => assert.equal(received.size, payouts));
  console.log(`${payouts} webhooks delivered by the background jobs`);

  for (const url of ['https://one.example', 'https://two.example']) {
    await api('PATCH', `${STORE}/settings`, { 'site.store_url': url });
    const changedMs = performance.now();
    await eventually(async () =>
      assert.equal((await other('GET', `${STORE}/settings`))['site.store_url'], url),
    );
    const afterMs = performance.now() - changedMs;
    console.log(`the other instance noticed a change after ${afterMs.toFixed(0)} ms`);
    assert.ok(afterMs < 1_000);
  }
}
