import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { createKey } from '../../src/modules/keys/index.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { createUser } from '../../src/modules/users/index.ts';
import { Place } from '../models/place.ts';
import { testServer } from '../postgres/databases.ts';
import { fc } from '../support/seeded-random.ts';
import { noonOf, todayOf } from './reward-kill/days.ts';
import { history, type History } from './reward-kill/history.ts';
import { KilledServer } from './reward-kill/killed-server.ts';
import { DELAY_DAYS, Sender, STORE } from './reward-kill/sender.ts';
import { ZONE } from './reward-kill/server-process.ts';

/**
 * Random histories of orders, refunds, cancellations, renewals, rules that change and bonuses, of several affiliates at
 * the same time, while the process is killed in the middle of batches and jobs: the ledger must have exactly what a
 * reference says that knows nothing but the histories.
 */
/** One on PostgreSQL, where the process that is killed leaves nothing half done but its transactions. */
const HISTORIES = Number(
  process.env['TRIBUTARY_REWARD_HISTORIES'] ?? (testServer() === undefined ? 2 : 1),
);
const SEED = Number(process.env['TEST_SEED'] ?? 1);
const AFFILIATES = 4;
/** Days that pass between the waves of a history. */
const WAITS = [0, 3, 9, 15, 7];
/** What the process is killed in, by wave. Each start takes seconds. */
const KILLED = [undefined, 'orders', 'orders', 'jobs', 'orders'] as const;

async function prepare(): Promise<{ place: Place; key: string }> {
  const place = await Place.make();
  const { data, databaseUrl } = place;
  const { config } = resolveConfig({ data, databaseUrl, tls: 'off', timezone: ZONE }, {});
  const app = await openApp({ config, log: pino({ level: 'silent' }), clock: () => noonOf(0) });
  const { site } = app;
  await site.database.transaction((tx) =>
    createUser(tx, site, {
      login: 'admin',
      email: 'admin@test.example',
      role: 'administrator',
      passwordHash: 'none',
    }),
  );
  const given = { user_id: 1, scopes: 'read,write,manage' };
  const { token } = await invoke<{ token: string }>(site, createKey, given);
  await invoke(site, changeSettings, {
    'api.rate_per_minute': '1000000',
    'commission.delay_days': String(DELAY_DAYS),
  });
  await app.close();
  return { place, key: token };
}

async function play(histories: readonly History[], isPaidAnytime: boolean) {
  const { place, key } = await prepare();
  const service = new KilledServer(place, noonOf(0));
  try {
    const senders = histories.map((one, i) => new Sender(service, key, i + 1, one));
    await Promise.all(senders.map((sender) => sender.begin()));
    for (const [wave, days] of WAITS.entries()) {
      await service.passDays(days);
      await runJobs(service, senders);
      const acknowledged = () => senders.reduce((sum, one) => sum + one.acknowledged, 0);
      const enough = acknowledged() + 3 + Math.random() * 20;
      const playing = Promise.all(senders.map((sender) => sender.play(wave)));
      const state = { isDone: false };
      void playing.finally(() => (state.isDone = true)).catch(() => {});
      while (!state.isDone && acknowledged() < enough) {
        if (isPaidAnytime) await service.runJobs();
        await setTimeout(2);
      }
      await setTimeout(Math.random() * 20);
      const jobs = isPaidAnytime ? service.runJobs() : undefined;
      const killed = KILLED[wave];
      if (killed === 'orders' && !state.isDone) await service.kill();
      await Promise.all([playing, jobs]);
      await runJobs(service, senders, killed === 'jobs');
      for (const sender of senders) await sender.check();
    }
    const { status, ok } = await verify(service, key);
    assert.ok(status === 200 && ok, 'the ledger and the balances agree');
    return { service, seen: senders.map(({ reference }) => reference.seen) };
  } finally {
    await service.close();
    await place.remove();
  }
}

/** Runs the jobs until nothing is left to do, in the service and in the references. */
async function runJobs(service: KilledServer, senders: readonly Sender[], isKilled = false) {
  const running = service.runJobs();
  if (isKilled) {
    await setTimeout(Math.random() * 10);
    await service.kill();
  }
  await running;
  const { nowMs } = service;
  for (const { reference } of senders) reference.payBonuses(nowMs, todayOf(nowMs));
}

async function verify(service: KilledServer, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-proto': 'https' };
  const response = await service.request(`${STORE}/ledger/verify`, { headers });
  return { status: response.status, ok: ((await response.json()) as { ok: boolean }).ok };
}

test('kill -9 at random moments: the ledger has what the histories of rules and orders say', async (t) => {
  const total: Record<string, number> = {};
  const add = (name: string, n: number) => (total[name] = (total[name] ?? 0) + n);
  for (let run = 0; run < HISTORIES; run += 1) {
    const isPaidAnytime = run % 2 === 0;
    const sampled = { numRuns: AFFILIATES, seed: SEED + run };
    const histories = fc.sample(history(isPaidAnytime), sampled);
    const { service, seen } = await play(histories, isPaidAnytime);
    add('kills', service.kills);
    add('cut off', service.cutOff);
    for (const one of seen) for (const [name, n] of Object.entries(one)) add(name, n);
  }
  for (const [name, n] of Object.entries(total)) {
    t.diagnostic(`${name}: ${n}`);
    // A bonus that is taken back is too rare for one history.
    assert.ok(n > 0 || (name === 'takenBack' && HISTORIES === 1), `no ${name}`);
  }
});
