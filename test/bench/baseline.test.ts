import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findLosses, machineFactor, newestOf, readBaseline } from '../../bench/baseline.ts';
import { writeJson, type Line } from '../../bench/result.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { resultOf } from './results.ts';

function line(fields: Partial<Line>): Line {
  return {
    area: 'Reading',
    operation: 'GET /me',
    database: 'SQLite',
    orders: 10_000,
    perSecond: 1_000,
    ...fields,
  };
}

/** Written and read as with `--compare FILE`. */
function compared(before: Line[], now: Line[]) {
  const file = join(tempFolder(), 'before.json');
  writeJson(file, resultOf(before));
  const baseline = readBaseline(file)!;
  const result = resultOf(now);
  return { factor: machineFactor(result, baseline), losses: findLosses(result, baseline) };
}

const timesOf = ({ losses }: ReturnType<typeof compared>) =>
  losses.map(({ line: { operation }, times }) => [operation, Number(times.toFixed(2))]);

describe('rows that lost against a baseline', () => {
  test('more than 10 % more CPU is a loss, less is not', () => {
    const before = [
      line({ cpuUs: 100 }),
      line({ operation: 'PUT /orders, 32 at a time', cpuUs: 100 }),
    ];
    const now = [
      line({ cpuUs: 109 }),
      line({ operation: 'PUT /orders, 32 at a time', cpuUs: 112 }),
    ];
    assert.deepEqual(timesOf(compared(before, now)), [['PUT /orders, 32 at a time', 1.12]]);
  });

  test('CPU of the database server counts', () => {
    const own = { database: 'PostgreSQL', cpuUs: 100 } as const;
    const run = compared(
      [line({ ...own, serverCpuUs: 100 })],
      [line({ ...own, serverCpuUs: 150 })],
    );
    assert.deepEqual(timesOf(run), [['GET /me', 1.25]]);
  });

  test('a slower machine is no loss: the bare server is slower, too', () => {
    const run = compared(
      [line({ cpuUs: 100, httpCpuUs: 50 })],
      [line({ cpuUs: 150, httpCpuUs: 75 })],
    );
    assert.equal(run.factor, 1.5);
    assert.deepEqual(run.losses, []);
  });

  test('rows of another size, without a target or without a counterpart are not compared', () => {
    const before = [line({ cpuUs: 1 }), line({ operation: 'GET orders, page 1', cpuUs: 1 })];
    const now = [
      line({ cpuUs: 9, orders: 1_000_000 }),
      line({ operation: 'GET orders, page 1', cpuUs: 9 }),
      line({ operation: 'GET stats, a year', cpuUs: 9 }),
    ];
    assert.deepEqual(compared(before, now).losses, []);
  });
});

test('the newest baseline is that of the highest version', () => {
  assert.equal(newestOf(['0.9.0.json', '0.10.0.json', '0.2.1.json']), '0.10.0.json');
  assert.equal(newestOf(['README.md']), undefined);
});
