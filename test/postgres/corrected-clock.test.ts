import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Transaction } from '../../src/db/database.ts';
import { openTestApp } from '../support/harness.ts';

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

test('no correction of times writes twice in a transaction, so it waits for nothing while it holds rows', async () => {
  const { site } = await openTestApp();
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
