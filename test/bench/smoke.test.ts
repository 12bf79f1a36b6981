import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { addonParts } from '../../bench/addon-parts.ts';
import type { Result } from '../../bench/result.ts';
import { screens } from '../../bench/screen-calls.ts';
import { lineTargets } from '../../bench/targets.ts';
import { tempFolder } from '../support/temp-folder.ts';

const databases = ['SQLite', 'PostgreSQL'];
const parts = [
  'start of PostgreSQL',
  ...databases.map((name) => `data on ${name}`),
  'reads',
  'orders',
  'webhooks',
  'fan-out',
  ...addonParts.map(({ name }) => name),
  ...databases.flatMap((name) => [
    `start and memory on ${name}`,
    `screens on ${name}`,
    `heavy work on ${name}`,
  ]),
];

/** Operations without a target. */
const otherOperations = [
  ...['PUT /orders, 32 at a time', 'POST /orders/batch of 1,000'].flatMap((operation) => [
    `${operation}, 100 rules`,
    `${operation}, 500 limits for others`,
  ]),
  'GET orders, page 1',
  'deliveries of a store, 32 at a time',
  'deliveries of a store, processed',
];

async function bench(
  ...flags: string[]
): Promise<{ status: number; said: string; result: Result }> {
  const file = join(tempFolder(), 'result.json');
  const { DATABASE_URL: _ownServer, ...env } = process.env;
  const child = spawn(process.execPath, ['bench/run.ts', '--smoke', '--json', file, ...flags], {
    cwd: join(import.meta.dirname, '../..'),
    env,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  }
  const [status] = (await once(child, 'close')) as [number];
  return { status, said, result: JSON.parse(readFileSync(file, 'utf8')) as Result };
}

describe('a smoke run of the benchmark', () => {
  let run: Awaited<ReturnType<typeof bench>>;
  before(async () => (run = await bench()));

  test('every part ends without a failure', () => {
    assert.deepEqual(run.result.failures, [], run.said);
    assert.deepEqual(run.result.parts, parts, run.said);
    assert.equal(run.status, 0, run.said);
  });

  test('every operation has a row on both databases', () => {
    const operations = [...lineTargets.map(({ operation }) => operation), ...otherOperations];
    const { lines } = run.result;
    for (const database of databases) {
      const own = lines.filter((line) => line.database === database);
      assert.deepEqual(
        new Set(own.map(({ operation }) => operation)),
        new Set(operations),
        database,
      );
      for (const { operation, perSecond } of own) assert.ok(perSecond > 0, operation);
    }
  });

  test('every group of figures has some, and every call of a screen', () => {
    const { figures } = run.result;
    const calls = Object.values(screens).flat().length;
    for (const database of databases) {
      const own = figures.filter((figure) => figure.database === database);
      const groups = ['alone', 'growth', 'memory', 'others', 'pages', 'rise', 'rules', 'start'];
      for (const group of [...groups, 'takes', 'webhooks']) {
        assert.ok(
          own.some((figure) => figure.group === group),
          `${group} on ${database}`,
        );
      }
      assert.equal(own.filter(({ group }) => group === 'screen-p99').length, calls, database);
    }
  });
});

test('a run that is out of time names each part that is missing and fails', async () => {
  const { status, said, result } = await bench('--minutes', '0');
  assert.equal(status, 1, said);
  assert.deepEqual(result.parts, []);
  assert.match(said, /Failed: \d+\n {2}start of PostgreSQL: not begun: 0 minutes are over/);
  assert.ok(addonParts.every(({ name }) => result.failures.some(({ part }) => part === name)));
});
