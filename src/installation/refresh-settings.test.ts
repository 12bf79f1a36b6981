import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../test/support/harness.ts';
import type { Reader } from '../db/database.ts';
import { delayDays } from '../modules/orders/settings.ts';
import { refreshSettings } from './refresh-settings.ts';

const app = await openTestApp();
const { site } = app;

/** The same site, whose next readings arrive when they are let go. */
function withSlowReadings() {
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  const { read } = site.database;
  const all: Reader['all'] = (query, params) =>
    read.all(query, params).then((rows) => arrived.then(() => rows));
  // Settings are read with this alone.
  const slowly = { all } as Reader;
  const database = Object.create(site.database, {
    read: { value: slowly },
  }) as typeof site.database;
  const slow = Object.create(site, { database: { value: database } }) as typeof site;
  return { slow, letGo };
}

test('a reading from before a change that arrives after it does not undo it', async () => {
  await app.set({ [delayDays.key]: 6 });
  const { slow, letGo } = withSlowReadings();
  const reading = refreshSettings(slow);
  await app.set({ [delayDays.key]: 7 });
  letGo();
  await reading;
  assert.equal(site.settings.get(delayDays), 7);
});

test('a reading asked for while another is on its way is made, after it', async () => {
  const { slow, letGo } = withSlowReadings();
  const first = refreshSettings(slow);
  const second = refreshSettings(slow);
  letGo();
  await Promise.all([first, second]);
  site.settings.apply([[delayDays.key, 8]], { whole: false });
  await refreshSettings(slow);
  assert.equal(site.settings.get(delayDays), 7);
});
