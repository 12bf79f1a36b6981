import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../test/upgrades/fill-store.ts';
import { DrillClients } from './drill-clients.ts';
import { PrimaryAndStandby } from './primary-and-standby.ts';
import { serve, setUp } from './release-service.ts';

/**
 * npm run drill:failover [-- ROUNDS]
 *
 * Kills the primary of PostgreSQL again and again while two instances work, promotes the synchronous standby, and makes
 * the old primary the new standby. Nothing that was acknowledged may be lost, and nothing stored twice.
 */
const ROUNDS = Number(process.argv[2] ?? 50);
const WRITES_WITHIN_S = 15;
const DATABASE = 'tributary';
const program = join(import.meta.dirname, '../src/main.ts');

const folder = mkdtempSync(join(tmpdir(), 'failover-'));
// PostgreSQL runs as a user of its own.
chmodSync(folder, 0o755);
const pair = await PrimaryAndStandby.start(folder);
try {
  await pair.onPrimary('postgres', `create database ${DATABASE} template template0`);
  const url = pair.address(DATABASE);
  // That requests fail for a while is what happens here.
  const service = { program, data: join(folder, 'data'), url, logLevel: 'silent' };
  const token = setUp(service);
  await pair.rebuildStandby();
  await serve(service, token, (api, one) =>
    serve(service, token, async (_, two) => {
      const clients = await DrillClients.create({ bases: [one, two], token }, api);
      for (let round = 1; round <= ROUNDS; round++) await failOver(round, clients, api);
      console.log('Responses:', Object.fromEntries(clients.responses));
    }),
  );
  const env = { ...process.env, DATABASE_URL: url };
  const verify = [program, 'verify', '--data', service.data];
  process.stdout.write(execFileSync(process.execPath, verify, { env }));
} finally {
  await pair.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function failOver(round: number, clients: DrillClients, api: Api): Promise<void> {
  const start = clients.acknowledged;
  clients.start();
  await sleep(500 + Math.random() * 1_000);
  await pair.killPrimary();
  const killedMs = performance.now();
  const change = clients.change();
  // Until an operator, or Patroni, notices.
  await sleep(Math.random() * 2_000);
  await pair.promoteStandby();
  const promotedS = (performance.now() - killedMs) / 1000;
  await change;
  const writesS = (performance.now() - killedMs) / 1000;
  await pair.rebuildStandby();
  await clients.stop();

  const { lost, doubled } = await clients.compare((sql) => pair.onPrimary(DATABASE, sql));
  const { ok } = await api('GET', '/svc/store/v1/ledger/verify');
  const { orders, payouts } = clients.acknowledged;
  console.log(
    [
      `round ${round}: ${orders - start.orders} orders, ${payouts - start.payouts} payouts acknowledged`,
      `${lost} lost, ${doubled} doubled`,
      `promoted after ${promotedS.toFixed(1)} s, writes after ${writesS.toFixed(1)} s`,
    ].join('; '),
  );
  assert.deepEqual([lost, doubled, ok], [0, 0, true]);
  assert.ok(writesS < WRITES_WITHIN_S);
}
