import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sql, type SqlBool } from 'kysely';
import { openTestApp } from '../../../test/harness.ts';
import { query } from './query.ts';
import { removeFirst, removeInPieces } from './remove-in-pieces.ts';
import { insertRows } from './rows-query.ts';

const PREFIX = 'piece ';

const insert = insertRows<{ name: string; position: number }>('cursors', {
  name: 'text',
  position: 'number',
});
const positions = query<object, { position: number }>((db) =>
  db.selectFrom('cursors').select('position').where('name', 'like', `${PREFIX}%`),
);
const removeBelow = removeFirst<{ below: number }>(
  'cursors',
  'position',
  (p) => sql<SqlBool>`name like 'piece %' and position < ${p.below}`,
);

const app = await openTestApp({ config: { worker: 'off' } });
const { database } = app.site;

const write = (count: number, positionOf: (i: number) => number) =>
  database.transaction((tx) =>
    tx.runMany(
      insert,
      Array.from({ length: count }, (_, i) => ({ name: PREFIX + i, position: positionOf(i) })),
    ),
  );
const left = async () => (await database.read.all(positions, {})).map(({ position }) => position);
/** How many transactions it takes. */
async function remove(below: number): Promise<number> {
  let transactions = 0;
  const transaction: typeof database.transaction = (work) => {
    transactions += 1;
    return database.transaction(work);
  };
  await removeInPieces({ ...database, transaction }, removeBelow, { below });
  return transactions;
}

describe('removing in pieces', () => {
  beforeEach(async () => {
    await remove(Number.MAX_SAFE_INTEGER);
  });

  test('all that is due goes, a thousand at a time, and nothing else', async () => {
    await write(2_500, (i) => i);
    assert.equal(await remove(2_300), 3);
    assert.deepEqual(
      (await left()).sort((a, b) => a - b),
      Array.from({ length: 200 }, (_, i) => 2_300 + i),
    );
  });

  test('those of the same value go together, however many', async () => {
    await write(2_500, (i) => Math.floor(i / 1_500));
    assert.equal(await remove(1), 2);
    assert.deepEqual(new Set(await left()), new Set([1]));
    assert.equal((await left()).length, 1_000);
  });

  test('where nothing is due, one look', async () => {
    await write(5, () => 7);
    assert.equal(await remove(7), 1);
    assert.equal((await left()).length, 5);
  });
});
