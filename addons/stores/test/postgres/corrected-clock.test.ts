import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readOne } from '../../../../src/db/statements/calls.ts';
import { correctInstants } from '../../../../src/worker/correct-instants.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { countMissedOrders, noteLastDelivery } from '../../connections/connection-rows.ts';
import { claimSync, saveSync, startSync } from '../../sync/sync-rows.ts';
import { StoreApp } from '../store-app.ts';

const HOUR_MS = 3_600_000;

const waiting = readOne<object, { count: number }>((db) => ({
  compile: () =>
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.compile(db),
}));

// The harness fails a test whose database counted a deadlock.
test('times are corrected while the page of a store is saved', async () => {
  const stores = await StoreApp.open();
  const { database } = stores.app.site;
  const { id } = await stores.connect({ kind: 'http' });
  await correctInstants.run(stores.app.site);
  const now = stores.app.site.clock();
  const key = { connection_id: id, task: 'reconcile' } as const;
  const page = await database.transaction(async (tx) => {
    await noteLastDelivery(tx, { id, at: now });
    await startSync(tx, key, { sinceMs: now, dueMs: now });
    return claimSync(tx, key, { lease: 'of a reader', now, until: now + HOUR_MS });
  });
  stores.app.setClock(-HOUR_MS);
  let correcting: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    // As `readNextPage` does it.
    await countMissedOrders(tx, id, 1);
    correcting ??= Promise.resolve(correctInstants.run(stores.app.site));
    await eventually(async () =>
      assert.ok((await waiting(database.read)).count > 0, 'the correction waits'),
    );
    assert.ok(await saveSync(tx, page!));
  });
  await correcting;
  assert.equal((await stores.connection(id)).missed_found, 1);
});
