import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  countMissedOrders,
  noteLastDelivery,
} from '../../src/addons/stores/connections/connection-rows.ts';
import { claimSync, saveSync, startSync } from '../../src/addons/stores/sync/sync-rows.ts';
import type { Database, Transaction } from '../../src/db/database.ts';
import { readOne } from '../../src/db/statements/calls.ts';
import { correctInstants } from '../../src/worker/correct-instants.ts';
import { StoreApp } from '../stores/store-app.ts';
import { eventually } from '../support/eventually.ts';

const HOUR_MS = 3_600_000;

const waiting = readOne<object, { count: number }>((db) => ({
  compile: () =>
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.compile(db),
}));

type Method = (...given: never[]) => unknown;

/** The same object; `change` may replace what one of its methods does. */
function changed<T extends object>(target: T, change: (name: keyof T) => Method | undefined): T {
  return new Proxy(target, {
    get(_, name) {
      const value = target[name as keyof T];
      const own = typeof value === 'function' ? (value.bind(target) as Method) : value;
      return change(name as keyof T) ?? own;
    },
  });
}

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

test('no correction of times writes twice in a transaction, so it waits for nothing while it holds rows', async () => {
  const { site } = (await StoreApp.open()).app;
  const most = new Map<string, number>();
  for (const module of site.registry.modules) {
    const transaction: Database['transaction'] = (work, options) =>
      site.database.transaction((tx) => {
        let writes = 0;
        const counted = changed<Transaction>(tx, (name) => {
          if (name !== 'run' && name !== 'runMany' && name !== 'execute') return undefined;
          writes += 1;
          most.set(module.name, Math.max(writes, most.get(module.name) ?? 0));
          return undefined;
        });
        return work(counted);
      }, options);
    const database = changed(site.database, (name) =>
      name === 'transaction' ? (transaction as Method) : undefined,
    );
    const seen = Object.create(site, { database: { value: database } });
    await module.correctInstants?.(seen, site.clock());
  }
  assert.deepEqual(
    [...most].filter(([, writes]) => writes > 1),
    [],
  );
  assert.ok(most.size > 4, `statements were counted: ${most.size}`);
});
