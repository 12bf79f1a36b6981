import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../test/support/harness.ts';
import type { Transaction } from './database.ts';
import { query } from './statements/query.ts';
import { defineWrites, type PendingWrites } from './unit-of-work.ts';

const insert = query<{ name: string; position: number }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: p.position }),
);
const byName = query<{ prefix: string }, { name: string }>((db, p) =>
  db.selectFrom('cursors').select('name').where('name', 'like', p.prefix).orderBy('position'),
);

let position = 0;
const insertNow = (tx: Transaction, name: string) =>
  tx.run(insert, { name, position: (position += 1) });

/** Writes each name it was given as a row, in the order in which the kinds are flushed. */
class Names implements PendingWrites {
  readonly names: string[] = [];
  /** Names for other kinds, added while this one is flushed. */
  readonly more: (() => void)[] = [];

  /** Written before all kinds. */
  prepared: string | undefined;

  async prepare(tx: Transaction): Promise<void> {
    if (this.prepared !== undefined) await insertNow(tx, this.prepared);
  }

  async flush(tx: Transaction): Promise<void> {
    for (const name of this.names) await insertNow(tx, name);
    for (const add of this.more) add();
  }
}

const create = () => new Names();
// Declared in another order than the one in which they are flushed.
const last = defineWrites({ name: 'test last', after: 'attribution', create });
const second = defineWrites({ name: 'test second', after: 'orders', create });
const first = defineWrites({ name: 'test first', after: 'orders', create });

const { database } = (await openTestApp()).site;
const found = async (prefix: string) =>
  (await database.read.all(byName, { prefix: `${prefix}%` })).map(({ name }) => name);

describe('what was added to a transaction', () => {
  test('is written before the commit, in the declared order', async () => {
    await database.transaction(async (tx) => {
      tx.pending(last).names.push('a last');
      tx.pending(second).names.push('a second');
      tx.pending(first).names.push('a first');
      assert.deepEqual(await found('a'), []);
    });
    assert.deepEqual(await found('a'), ['a first', 'a second', 'a last']);
  });

  test('is prepared before any of it is written', async () => {
    await database.transaction(async (tx) => {
      tx.pending(first).names.push('p first');
      tx.pending(last).prepared = 'p prepared';
      tx.pending(last).names.push('p last');
    });
    assert.deepEqual(await found('p'), ['p prepared', 'p first', 'p last']);
  });

  test('includes what a flush adds, even of a kind that was flushed before', async () => {
    await database.transaction(async (tx) => {
      const writes = tx.pending(last);
      writes.names.push('b last');
      writes.more.push(() => tx.pending(first).names.push('b added by the flush'));
    });
    assert.deepEqual(await found('b'), ['b last', 'b added by the flush']);
  });

  test('is not written by a transaction that fails, nor by one whose flush fails', async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        tx.pending(first).names.push('c');
        throw new Error('refused');
      }),
      /refused/,
    );
    await assert.rejects(
      database.transaction(async (tx) => {
        tx.pending(first).names.push('c');
        tx.pending(last).more.push(() => {
          throw new Error('flush refused');
        });
      }),
      /flush refused/,
    );
    assert.deepEqual(await found('c'), []);
  });

  test('can be flushed for a read of the same transaction, and is written once', async () => {
    await database.transaction(async (tx) => {
      tx.pending(first).names.push('d 1');
      await tx.flush();
      assert.deepEqual(await tx.all(byName, { prefix: 'd%' }), [{ name: 'd 1' }]);
      tx.pending(first).names.push('d 2');
    });
    assert.deepEqual(await found('d'), ['d 1', 'd 2']);
  });

  test('is written once for all items of a batched transaction', async () => {
    const work = async (tx: Transaction, names: readonly string[]) => {
      tx.pending(first).names.push(...names);
      return names;
    };
    const names = Array.from({ length: 30 }, (_, i) => `e ${i}`);
    const results = await Promise.all(names.map((name) => database.batchedTransaction(work, name)));
    assert.deepEqual(results, names);
    assert.deepEqual((await found('e')).toSorted(), names.toSorted());
  });

  test('of transactions that share a commit: a failed one takes nothing from the others', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        database.transaction(async (tx) => {
          tx.pending(first).names.push(`f ${i}`);
          if (i % 4 === 0) throw new Error('refused');
          if (i % 4 === 1) {
            tx.pending(last).more.push(() => {
              throw new Error('flush refused');
            });
          }
        }),
      ),
    );
    const written = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? `f ${i}` : []));
    assert.equal(written.length, 10);
    assert.deepEqual((await found('f')).toSorted(), written.toSorted());
  });

  test('is added again, not twice, when the transaction runs again', async () => {
    // PostgreSQL retries after a unique violation; SQLite reports it at once.
    let attempts = 0;
    await database.transaction(async (tx) => {
      attempts += 1;
      tx.pending(first).names.push('g');
      if (attempts === 1 && !tx.dialect.commitsInIdOrder) {
        await insertNow(tx, 'g twice');
        await insertNow(tx, 'g twice');
      }
    });
    assert.equal(attempts, database.dialect.commitsInIdOrder ? 1 : 2);
    assert.deepEqual(await found('g'), ['g']);
  });

  test('cannot be added after the transaction has ended', async () => {
    const ended = await database.transaction(async (tx) => ({ tx }));
    assert.throws(() => ended.tx.pending(first), /test first were added too late/);
  });
});

describe('a kind of writes', () => {
  test('needs a position in the flush order', () => {
    const declaration = { name: 'nowhere' as 'events', create };
    assert.throws(() => defineWrites(declaration), /without a position.*nowhere/);
  });

  test('is declared once', () => {
    const declaration = { name: 'test first', after: 'orders', create } as const;
    assert.throws(() => defineWrites(declaration), /declared twice: test first/);
  });
});
