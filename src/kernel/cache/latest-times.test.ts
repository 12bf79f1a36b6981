import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { LatestTimes } from './latest-times.ts';

const save = query<{ name: string; position: number }>((db, p) =>
  db
    .insertInto('cursors')
    .values({ name: p.name, position: p.position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position: p.position })),
);
const saved = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);

const app = await openTestApp();
const { database } = app.site;
const savedMs = async (name: string) =>
  (await database.read.first(saved, { name }))?.position ?? null;

test('a use is visible immediately, during the write, and to a reader that queried before it', async () => {
  const gate = Promise.withResolvers<void>();
  const times = new LatestTimes<string>(async (tx, name, position) => {
    await tx.run(save, { name, position });
    await gate.promise;
  });
  const before = await savedMs('thing');
  times.note('thing', before, 5 * MINUTE_MS);
  assert.equal(times.latestOf('thing', before), 5 * MINUTE_MS);
  const writing = times.write(app.site);
  assert.equal(times.latestOf('thing', before), 5 * MINUTE_MS);
  gate.resolve();
  await writing;
  assert.equal(times.latestOf('thing', before), 5 * MINUTE_MS);
  assert.equal(await savedMs('thing'), 5 * MINUTE_MS);
});

test('a later time of another instance counts; an unused item has no time', async () => {
  const times = new LatestTimes<string>(async (tx, name, position) => {
    await tx.run(save, { name, position });
  });
  times.note('shared', null, 5 * MINUTE_MS);
  assert.equal(times.latestOf('shared', 9 * MINUTE_MS), 9 * MINUTE_MS);
  assert.equal(times.latestOf('unused', null), null);
});

test('after a failed write the next run stores the time, or a newer one', async () => {
  let isRefused = true;
  const times = new LatestTimes<string>(async (tx, name, position) => {
    if (isRefused) throw new Error('away');
    await tx.run(save, { name, position });
  });
  times.note('late', null, 5 * MINUTE_MS);
  await assert.rejects(times.write(app.site), /away/);
  assert.equal(times.latestOf('late', null), 5 * MINUTE_MS);
  times.note('late', null, 7 * MINUTE_MS);
  isRefused = false;
  await times.write(app.site);
  assert.equal(await savedMs('late'), 7 * MINUTE_MS);
});
