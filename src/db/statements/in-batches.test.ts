import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sql, type SqlBool } from 'kysely';
import { openTestApp } from '../../../test/support/harness.ts';
import type { Database } from '../database.ts';
import { deleteInBatches, updateInBatches } from './in-batches.ts';
import { query } from './query.ts';
import { insertRows } from './rows-query.ts';

const PREFIX = 'batch ';

const insert = insertRows<{ name: string; position: number }>('cursors');
const positions = query<object, { position: number }>((db) =>
  db.selectFrom('cursors').select('position').where('name', 'like', `${PREFIX}%`),
);
const removeBelow = deleteInBatches<{ below: number }>(
  'cursors',
  'position',
  (p) => sql<SqlBool>`name like 'batch %' and position < ${p.below}`,
);

const lowerTo = updateInBatches<{ to: number }>('cursors', 'name', (p) => ({
  set: sql`position = ${p.to}`,
  where: sql<SqlBool>`name like 'batch %' and position > ${p.to}`,
}));

const app = await openTestApp();
const { database } = app.site;

const write = (count: number, positionOf: (i: number) => number) =>
  database.transaction((tx) =>
    tx.runMany(
      insert,
      Array.from({ length: count }, (_, i) => ({ name: PREFIX + i, position: positionOf(i) })),
    ),
  );
const left = async () => (await database.read.all(positions, {})).map(({ position }) => position);
/** Counts the transactions that the work takes. */
async function transactionsOf(work: (counted: Database) => Promise<void>): Promise<number> {
  let transactions = 0;
  const transaction: Database['transaction'] = (run) => {
    transactions += 1;
    return database.transaction(run);
  };
  await work({ ...database, transaction });
  return transactions;
}
const remove = (below: number) => transactionsOf((counted) => removeBelow(counted, { below }));

describe('in batches', () => {
  beforeEach(async () => {
    await remove(Number.MAX_SAFE_INTEGER);
  });

  test('deletes the rows that meet the condition, a thousand per transaction, and no others', async () => {
    await write(2_500, (i) => i);
    assert.equal(await remove(2_300), 3);
    assert.deepEqual(
      (await left()).sort((a, b) => a - b),
      Array.from({ length: 200 }, (_, i) => 2_300 + i),
    );
  });

  test('rows with the same value are deleted together, however many', async () => {
    await write(2_500, (i) => Math.floor(i / 1_500));
    assert.equal(await remove(1), 2);
    assert.deepEqual(new Set(await left()), new Set([1]));
    assert.equal((await left()).length, 1_000);
  });

  test('takes one transaction where no row meets the condition', async () => {
    await write(5, () => 7);
    assert.equal(await remove(7), 1);
    assert.equal((await left()).length, 5);
  });

  test('changes the rows that meet the condition, a thousand per transaction', async () => {
    await write(2_500, (i) => i);
    const transactions = await transactionsOf((counted) => lowerTo(counted, { to: 100 }));
    assert.equal(transactions, 3);
    assert.equal(Math.max(...(await left())), 100);
    assert.equal((await left()).length, 2_500);
  });
});
