import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openTestApp } from '../../test/harness.ts';
import { query } from '../db/query.ts';
import { defineModule } from '../kernel/module.ts';
import { Registry } from '../kernel/registry.ts';
import type { Site } from '../kernel/site.ts';
import { Worker } from './worker.ts';

const HOUR_MS = 60 * 60_000;

const lend = query<{ until: number }>((db, p) =>
  db.insertInto('leases').values({ name: 'hourly', holder: 'another', until: p.until }),
);
const leases = query<object, { holder: string; until: number }>((db) =>
  db.selectFrom('leases').select(['holder', 'until']).where('name', '=', 'hourly'),
);

const app = await openTestApp({ config: { worker: 'off' } });

test('the hourly job of a dead instance is taken over within half a minute of its lease', async () => {
  const { database, settings } = app.site;
  let runs = 0;
  const job = {
    name: 'hourly',
    everyMs: HOUR_MS,
    runsOn: 'one' as const,
    run: async () => void (runs += 1),
  };
  const registry = new Registry(
    [defineModule({ name: 'hours', summary: '', addon: false, jobs: [job] })],
    settings,
  );
  let asking: Promise<unknown> | undefined;
  const transaction: typeof database.transaction = (work) => {
    const asked = database.transaction(work);
    asking = asked;
    return asked;
  };
  const site = { ...app.site, registry, database: { ...database, transaction } } satisfies Site;

  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  const startedMs = Date.now();
  await database.transaction((tx) => tx.run(lend, { until: startedMs + 45_000 }));
  const worker = new Worker(site);
  worker.start();
  /** Lets time pass, and whoever asks for the lease then be answered. */
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await asking;
    await setImmediate();
  };
  const holder = async () => (await database.read.first(leases, {}))!.holder;

  await pass(1_000);
  await pass(30_000);
  assert.deepEqual([runs, await holder()], [0, 'another']);
  await pass(30_000);
  assert.equal(runs, 1, 'asked again half a minute later');
  assert.notEqual(await holder(), 'another');
  const { until } = (await database.read.first(leases, {}))!;
  assert.equal(until, startedMs + 61_000 + HOUR_MS + 30_000);
  await pass(HOUR_MS - 1);
  assert.equal(runs, 1, 'and runs every hour');
  await pass(1);
  assert.equal(runs, 2);
  mock.timers.reset();
  await worker.stop();
});
