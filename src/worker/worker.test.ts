import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestApp } from '../../test/support/harness.ts';
import { query } from '../db/statements/query.ts';
import { defineModule } from '../kernel/declare/module.ts';
import { Registry } from '../kernel/declare/registry.ts';
import type { Site } from '../kernel/declare/site.ts';
import { HOUR_MS } from '../shared/durations.ts';
import { Worker } from './worker.ts';

/** Sets the rest of the lease of the hourly job, by the clock of the database. */
const lend = query<{ holder: string; ms: number }>((db, p, _given, { now }) => {
  const until = sql<number>`${now} + ${p.ms}`;
  return db
    .insertInto('leases')
    .values({ name: 'hourly', holder: p.holder, until })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder: p.holder, until }));
});
const leases = query<object, { holder: string; left: number }>((db, _p, _given, { now }) =>
  db
    .selectFrom('leases')
    .select(['holder', sql<number>`until - ${now}`.as('left')])
    .where('name', '=', 'hourly'),
);

const app = await openTestApp();
const { database, settings } = app.site;

/** A worker with an hourly job, whose timers a test advances. */
function hourlyWorker() {
  const seen = { runs: 0 };
  const job = {
    name: 'hourly',
    everyMs: HOUR_MS,
    runsOn: 'one' as const,
    run: async () => void (seen.runs += 1),
  };
  const registry = new Registry(
    [defineModule({ name: 'hours', summary: '', addon: false, jobs: [job] })],
    settings,
  );
  const asking: Promise<unknown>[] = [];
  const transaction: typeof database.transaction = (work) => {
    const asked = database.transaction(work);
    asking.push(asked);
    return asked;
  };
  const site = { ...app.site, registry, database: { ...database, transaction } } satisfies Site;
  mock.timers.enable({ apis: ['setTimeout'] });
  const worker = new Worker(site);
  worker.start();
  return {
    seen,
    /** Advances the time and waits for the resulting lease queries. */
    async pass(ms: number) {
      mock.timers.tick(ms);
      while (asking.length > 0) await asking.shift();
      await setImmediate();
    },
    async stop() {
      mock.timers.reset();
      await worker.stop();
    },
  };
}

const lease = async () => (await database.read.first(leases, {}))!;
const lendTo = (holder: string, ms: number) =>
  database.transaction((tx) => tx.run(lend, { holder, ms }));

test('the hourly job of a dead instance is taken over within half a minute of its lease', async () => {
  await lendTo('another', 45_000);
  const { seen, pass, stop } = hourlyWorker();
  await pass(1_000);
  assert.deepEqual([seen.runs, (await lease()).holder], [0, 'another']);
  await lendTo('another', -1);
  await pass(30_000);
  assert.equal(seen.runs, 1, 'checked again half a minute later');
  const { holder, left } = await lease();
  assert.notEqual(holder, 'another');
  assert.ok(left > HOUR_MS && left <= HOUR_MS + 30_000, `${left} ms`);
  await pass(HOUR_MS - 1);
  assert.equal(seen.runs, 1, 'and runs every hour');
  await pass(1);
  assert.equal(seen.runs, 2);
  await stop();
});

test('a lease that is longer than possible is from before the clock was set back and counts as expired', async () => {
  await lendTo('another', 2 * HOUR_MS);
  const { seen, pass, stop } = hourlyWorker();
  await pass(1_000);
  assert.equal(seen.runs, 1);
  assert.ok((await lease()).left <= HOUR_MS + 30_000);
  await stop();
});

test('a clock that is set an hour ahead or back moves no job to another instance', async () => {
  const { seen, pass, stop } = hourlyWorker();
  await pass(1_000);
  assert.equal(seen.runs, 1);
  const { holder } = await lease();
  for (const jumpMs of [HOUR_MS, -HOUR_MS]) {
    const rightMs = Date.now();
    const wrong = mock.method(Date, 'now', () => rightMs + jumpMs);
    const { runs } = seen;
    await pass(HOUR_MS);
    assert.equal(seen.runs, runs + 1);
    wrong.mock.restore();
    assert.equal((await lease()).holder, holder);
  }
  await stop();
});
