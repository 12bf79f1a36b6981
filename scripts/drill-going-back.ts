import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, onServer } from '../test/postgres/databases.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { fillStore, type Api } from '../test/upgrades/fill-store.ts';
import { numbersLike, readMoney } from '../test/upgrades/money-answers.ts';
import { serve, setUp, type ReleaseService } from './release-service.ts';

/**
 * node scripts/drill-going-back.ts CHECKOUT/src/main.ts [node_modules/tributary-affiliates/bin/tributary.js]
 *
 * Upgrades an installation of 0.7.0 to this version, lets an instance of 0.7.0 run on, and goes back by the backup, on
 * both databases. Run it before a release, with a checkout of 0.7.0 and the installed package.
 */
const [earlier, present = join(import.meta.dirname, '../src/main.ts')] = process.argv.slice(2);
if (earlier === undefined)
  throw new Error('Name src/main.ts of a checkout of the earlier release.');
const STORE = '/svc/store/v1';

const server = await startPrivateServer();
try {
  await drill('SQLite', ['', '']);
  await onServer(server.url, 'create database drill template template0');
  await drill('PostgreSQL', [databaseUrl(server.url, 'drill'), databaseUrl(server.url, 'kept')]);
} finally {
  await server.stop();
}

async function drill(
  name: string,
  databases: readonly [url: string, backup: string],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'going-back-'));
  const data = join(folder, 'data');
  const [url, backup] = databases;
  const old: ReleaseService = { program: earlier!, data, url };
  const fresh: ReleaseService = { program: present, data, url };
  try {
    const token = setUp(old);
    await serve(old, token, async (api) => {
      await api('PATCH', `${STORE}/settings`, { 'api.rate_per_minute': 10_000 });
      await fillStore(api);
      await work(api, 2001);
    });
    const before = await moneyOf(old, token);
    const kept = await backUp(old, folder, backup);

    assert.deepEqual(numbersLike(before, await moneyOf(fresh, token)), before);
    await serve(fresh, token, (api) => work(api, 3001));
    const after = await moneyOf(fresh, token);
    console.log(`${name}: upgraded, the same money, and works`);

    await serve(old, token, async (api) => {
      await assert.rejects(work(api, 4001), /PUT .*4001: 500/);
    });
    assert.deepEqual(await moneyOf(fresh, token), after);
    console.log(`${name}: 0.7.0 on the upgraded database is refused and changes no money`);

    assert.deepEqual(await moneyOf(kept, token), before);
    await serve(kept, token, (api) => work(api, 5001));
    console.log(`${name}: back by the backup, the same money, and works`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The installation again from its backup, for the same release. */
async function backUp(old: ReleaseService, folder: string, url: string): Promise<ReleaseService> {
  const kept = { ...old, data: join(folder, 'kept'), url };
  if (url !== '') {
    await onServer(server.url, 'create database kept template drill');
    cpSync(old.data, kept.data, { recursive: true });
    return kept;
  }
  const file = join(folder, 'backup.db');
  const run = (...args: string[]) => execFileSync(process.execPath, [old.program, ...args]);
  run('backup', file, '--data', old.data);
  run('restore', file, '--data', kept.data);
  return kept;
}

/** Read by a process of its own, which has cached nothing. */
async function moneyOf(service: ReleaseService, token: string): Promise<Record<string, unknown>> {
  let money = {};
  await serve(service, token, async (api) => {
    const { ok, differences } = await api('GET', `${STORE}/ledger/verify`);
    assert.deepEqual([ok, differences], [true, []]);
    money = await readMoney((path) => api('GET', path));
  });
  return money;
}

/** An order of each kind, a change of an earlier one, and a payout that fails. */
async function work(api: Api, first: number): Promise<void> {
  const order = (id: number, status: string) => ({
    date: new Date().toISOString(),
    status,
    total: 50,
    coupon_codes: ['BRUNO10'],
    customer: { id, email: `c${id}@store.example` },
    items: [{ product_id: 7, quantity: 1, subtotal: 50, total: 50 }],
  });
  await api('PUT', `${STORE}/orders/${first}`, order(first, 'completed'));
  await api('PUT', `${STORE}/orders/${first + 1}`, order(first + 1, 'pending'));
  await api('PUT', `${STORE}/orders/${first + 1}`, order(first + 1, 'completed'));
  await api('PUT', `${STORE}/orders/${first}`, {
    ...order(first, 'completed'),
    refunds: [{ id: first, amount: 20 }],
  });
  const [coupon] = await api('GET', '/svc/v2/coupons?search=BRUNO10');
  const payout = await api('POST', '/svc/v2/payouts', { coupon_id: coupon.id });
  await api('POST', `/svc/v2/payouts/${payout.id}/status`, { status: 'paid' });
}
