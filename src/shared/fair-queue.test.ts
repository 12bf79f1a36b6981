import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FairQueue, QueueFullError } from './fair-queue.ts';

const limits = { running: 2, runningPerCaller: 1, waiting: 10, waitingPerCaller: 6 };

/** A queue whose work ends when the test says so. */
class Trial {
  readonly queue = new FairQueue(limits);
  readonly started: string[] = [];
  readonly refused: string[] = [];
  readonly #ends = new Map<string, () => void>();

  /** Names are `caller number`. */
  ask(name: string, requireStillThere = () => {}): void {
    const [caller = ''] = name.split(' ');
    const work = () => {
      this.started.push(name);
      return new Promise<void>((resolve) => this.#ends.set(name, resolve));
    };
    this.queue.run({ name: caller, requireStillThere }, work).catch((error: unknown) => {
      const reason = error instanceof QueueFullError ? error.scope : (error as Error).message;
      this.refused.push(`${name}: ${reason}`);
    });
  }

  askAll(caller: string, count: number): void {
    for (let i = 1; i <= count; i++) this.ask(`${caller} ${i}`);
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    await setImmediate();
    await setImmediate();
  }
}

describe('a fair queue', () => {
  test('runs one job per caller, however many it sends', async () => {
    const trial = new Trial();
    trial.askAll('a', 5);
    assert.deepEqual(trial.started, ['a 1']);
    trial.ask('b 1');
    assert.deepEqual(trial.started, ['a 1', 'b 1'], 'another caller does not wait');
  });

  test('serves callers round robin', async () => {
    const trial = new Trial();
    trial.askAll('a', 4);
    trial.askAll('b', 3);
    trial.askAll('c', 2);
    assert.deepEqual(trial.started, ['a 1', 'b 1']);
    for (const name of ['a 1', 'b 1', 'a 2', 'b 2', 'c 1', 'a 3']) await trial.end(name);
    assert.equal(trial.started.join(', '), 'a 1, b 1, a 2, b 2, c 1, a 3, b 3, c 2');
  });

  test('refuses a caller with too many waiting jobs, and no other', async () => {
    const trial = new Trial();
    trial.askAll('a', 9);
    trial.ask('b 1');
    await setImmediate();
    assert.deepEqual(trial.refused, ['a 8: caller', 'a 9: caller']);
    assert.deepEqual(trial.started, ['a 1', 'b 1']);
  });

  test('when full, rejects the last job of the caller with most for one with fewer', async () => {
    const trial = new Trial();
    trial.askAll('a', 7);
    trial.askAll('b', 5);
    assert.equal(trial.queue.waitingCount, 10);
    trial.ask('c 1');
    await setImmediate();
    assert.deepEqual(trial.refused, ['a 7: caller']);
    assert.equal(trial.queue.waitingCount, 10);
  });

  test('when full of callers with one job each, refuses every new job', async () => {
    const trial = new Trial();
    for (let i = 0; i < 13; i++) trial.ask(`n${i} 1`);
    await setImmediate();
    assert.deepEqual(trial.refused, ['n12 1: all']);
    assert.equal(trial.queue.startedCount, 2);
  });

  test('does not start a job whose caller has disconnected or is locked out', async () => {
    const trial = new Trial();
    let isOut = false;
    const requireStillThere = () => {
      if (isOut) throw new Error('locked out');
    };
    for (let i = 1; i <= 4; i++) trial.ask(`a ${i}`, requireStillThere);
    trial.ask('b 1');
    trial.ask('b 2');
    isOut = true;
    await trial.end('a 1');
    assert.deepEqual(trial.started, ['a 1', 'b 1']);
    assert.deepEqual(trial.refused, ['a 2: locked out', 'a 3: locked out', 'a 4: locked out']);
    await trial.end('b 1');
    assert.deepEqual(trial.started, ['a 1', 'b 1', 'b 2']);
    assert.equal(trial.queue.startedCount, 3);
  });

  test('applies the effects of a result before it starts the next job', async () => {
    const queue = new FairQueue(limits);
    let failures = 0;
    const caller = {
      name: 'a',
      requireStillThere() {
        if (failures >= 3) throw new Error('locked out');
      },
    };
    const guess = async () => {
      await queue.run(caller, async () => {});
      await Promise.resolve();
      failures += 1;
    };
    const results = await Promise.allSettled(Array.from({ length: 7 }, guess));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal(queue.startedCount, 3);
  });

  test('has no limit for the service itself', async () => {
    const queue = new FairQueue(limits);
    const ourselves = { name: '', requireStillThere: () => {} };
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) => queue.run(ourselves, async () => i)),
    );
    assert.equal(results.length, 50);
  });

  test('continues after a failed job', async () => {
    const queue = new FairQueue(limits);
    const caller = { name: 'a', requireStillThere: () => {} };
    await assert.rejects(
      queue.run(caller, async () => {
        throw new Error('no memory');
      }),
      /no memory/,
    );
    assert.equal(await queue.run(caller, async () => 7), 7);
  });
});
