import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../src/db/database.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { correctWebhookWaits } from '../delivery/dispatcher.ts';
import { fanOut } from '../delivery/fan-out.ts';
import { openWebhookApp } from './webhook-app.ts';

const HOUR_MS = 3_600_000;
const WRITES = new Set(['run', 'runMany', 'updateMany']);

// Results are recorded with the locks of their receivers. Without them, a correction of the same rows and a record of
// results would each wait for rows that the other has.
test('times of deliveries are corrected with the locks of their receivers', async () => {
  const app = await openWebhookApp();
  const { site } = app.app;
  const { id } = await app.webhook('https://receiver.invalid/hook');
  await app.emit(3);
  await fanOut(site);
  const writes: boolean[] = [];
  const transaction: Database['transaction'] = (work, options) =>
    site.database.transaction((tx) => {
      let isLocked = false;
      const watched = new Proxy(tx, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'lock') isLocked ||= given[0] === `webhook ${id}`;
            if (WRITES.has(String(name))) writes.push(isLocked);
            return value.apply(target, given) as unknown;
          };
        },
      });
      return work(watched);
    }, options);
  const database = new Proxy(site.database, {
    get: (target, name) =>
      name === 'transaction' ? transaction : (Reflect.get(target, name, target) as unknown),
  });
  const earlier = site.clock() - HOUR_MS;
  await correctWebhookWaits(Object.create(site, { database: { value: database } }), earlier);
  assert.ok(writes.length >= 3, `${writes.length} writes`);
  assert.ok(writes.every(Boolean), String(writes));
  assert.ok((await app.rows()).every(({ due_at }) => due_at! <= earlier));
});

test('without a time to correct, one statement looks for one, however many receivers wait', async () => {
  const app = await openWebhookApp();
  const { site } = app.app;
  for (let i = 0; i < 12; i++) await app.webhook(`https://receiver.invalid/${i}`);
  await app.emit(2);
  await fanOut(site);
  assert.equal(new Set((await app.rows()).map(({ webhook_id }) => webhook_id)).size, 12);
  const correct = () => correctWebhookWaits(site, site.clock());
  assert.equal(await statementsOf(site.database, correct), 1);
});
