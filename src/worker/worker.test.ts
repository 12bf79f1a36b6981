import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Job } from '../kernel/job.ts';
import type { Site } from '../kernel/site.ts';
import { Worker } from './worker.ts';

const HOUR_MS = 60 * 60_000;

test('the hourly job of a dead instance is taken over within half a minute of its lease', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let runs = 0;
  const hourly: Job = {
    name: 'hourly',
    everyMs: HOUR_MS,
    runsOn: 'one',
    run: async () => void (runs += 1),
  };
  let [asked, taken] = [0, 0];
  const site = {
    registry: { modules: [{ jobs: [hourly] }], activeModules: () => [{ jobs: [hourly] }] },
    database: { transaction: async () => ((asked += 1), taken) },
  } as unknown as Site;
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await setImmediate();
  };

  new Worker(site).start();
  await pass(1_000);
  await pass(30_000);
  assert.deepEqual([asked, runs], [2, 0], 'it is another one’s');
  taken = 1;
  await pass(30_000);
  assert.deepEqual([asked, runs], [3, 1], 'now it is ours');
  await pass(HOUR_MS - 1);
  assert.deepEqual([asked, runs], [3, 1], 'and runs every hour');
  await pass(1);
  assert.deepEqual([asked, runs], [4, 2], 'with the lease renewed');
  mock.timers.reset();
});
