import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { Coalescer, type CoalesceOptions } from './coalesce.ts';

/** Doubles numbers, and records the batches. A batch runs until `open` is called. */
function doubling(options: Partial<CoalesceOptions<number, number>> = {}) {
  const batches: number[][] = [];
  let gate = Promise.withResolvers<void>();
  const coalescer = new Coalescer<number, number>({
    async run(batch) {
      batches.push(batch.map(({ item }) => item));
      await gate.promise;
      for (const { item, resolve } of batch) resolve(item * 2);
    },
    ...options,
  });
  const open = () => {
    gate.resolve();
    gate = Promise.withResolvers();
  };
  return { coalescer, batches, open };
}

describe('without gathering', () => {
  test('the first call starts immediately, and calls that arrive while it runs form the next batch', async () => {
    const { coalescer, batches, open } = doubling();
    const results = Promise.all([1, 2, 3].map((n) => coalescer.add(n)));
    assert.deepEqual(batches, [[1]]);
    open();
    await tick();
    assert.deepEqual(batches, [[1], [2, 3]]);
    open();
    assert.deepEqual(await results, [2, 4, 6]);
  });

  test('no batch exceeds the maximum', async () => {
    const { coalescer, batches, open } = doubling({ max: 2 });
    const results = Promise.all([1, 2, 3, 4].map((n) => coalescer.add(n)));
    for (let i = 0; i < 3; i++) {
      open();
      await tick();
    }
    assert.deepEqual(await results, [2, 4, 6, 8]);
    assert.deepEqual(batches, [[1], [2, 3], [4]]);
  });

  test('after a pause it starts again', async () => {
    const { coalescer, batches, open } = doubling();
    for (const n of [1, 2]) {
      const result = coalescer.add(n);
      open();
      assert.equal(await result, n * 2);
      await coalescer.idle();
    }
    assert.deepEqual(batches, [[1], [2]]);
  });
});

describe('with gathering', () => {
  test('calls that arrive before it ends share the batch', async () => {
    const { coalescer, batches, open } = doubling({ gather: tick });
    const first = coalescer.add(1);
    await Promise.resolve();
    const second = coalescer.add(2);
    await tick();
    await tick();
    open();
    assert.deepEqual(await Promise.all([first, second]), [2, 4]);
    assert.deepEqual(batches, [[1, 2]]);
  });

  test('it may reject those that wait; where none is left, nothing runs', async () => {
    const { coalescer, batches } = doubling({
      async gather() {
        coalescer.rejectWaiting(
          () => new Error('too late'),
          (n) => n < 3,
        );
      },
    });
    await assert.rejects(coalescer.add(1), /too late/);
    await coalescer.idle();
    assert.deepEqual(batches, []);
  });

  test('it rejects only those that meet the condition', async () => {
    const { coalescer, batches, open } = doubling({
      async gather() {
        await tick();
        assert.equal(coalescer.waiting.length, 2);
        coalescer.rejectWaiting(
          () => new Error('too late'),
          (n) => n < 3,
        );
      },
    });
    const [first, second] = [coalescer.add(1), coalescer.add(3)];
    await assert.rejects(first, /too late/);
    await tick();
    open();
    assert.equal(await second, 6);
    assert.deepEqual(batches, [[3]]);
  });
});

test('no batch runs while gathering resolves to false', async () => {
  let looks = 0;
  const { coalescer, batches, open } = doubling({
    async gather() {
      await tick();
      return ++looks === 3;
    },
  });
  const result = coalescer.add(1);
  while (batches.length === 0) await tick();
  open();
  assert.equal(await result, 2);
  assert.equal(looks, 3);
});

test('gathering that fails rejects those that wait', async () => {
  let isDown = true;
  const { coalescer, open } = doubling({
    async gather() {
      if (isDown) throw new Error('down');
    },
  });
  await assert.rejects(coalescer.add(1), /down/);
  isDown = false;
  const second = coalescer.add(2);
  await tick();
  open();
  assert.equal(await second, 4);
});

describe('with overlap', () => {
  test('a batch does not wait for the one before, and all that wait start together', async () => {
    const { coalescer, batches, open } = doubling({ gather: tick, overlap: true, max: 2 });
    const early = [1, 2, 3].map((n) => coalescer.add(n));
    await coalescer.idle();
    assert.deepEqual(batches, [[1, 2], [3]]);
    const late = coalescer.add(4);
    await coalescer.idle();
    assert.deepEqual(batches, [[1, 2], [3], [4]]);
    open();
    assert.deepEqual(await Promise.all([...early, late]), [2, 4, 6, 8]);
  });
});

describe('failures', () => {
  test('reject every call of the batch, and the next batch runs', async () => {
    let runs = 0;
    const coalescer = new Coalescer<number, number>({
      async run(batch) {
        if (++runs === 2) throw new Error('no');
        for (const { item, resolve } of batch) resolve(item);
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((n) => coalescer.add(n)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.equal(await coalescer.add(4), 4);
  });

  test('leave calls alone that are settled already', async () => {
    const coalescer = new Coalescer<number, number>({
      gather: tick,
      async run([first]) {
        first!.resolve(1);
        throw new Error('no');
      },
    });
    const results = await Promise.allSettled([coalescer.add(1), coalescer.add(2)]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
  });
});
