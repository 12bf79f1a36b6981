import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases } from './cases.ts';
import { FEW_ROWS, MANY_ROWS } from './fill.ts';
import { FilledStore } from './filled-store.ts';
import { grows } from './grows.ts';
import { measure } from './measure.ts';
import type { Steps } from './steps.ts';

/** Differences that are no growth: a page of rows that was cached before, a few rows that earlier calls have added. */
const FACTOR_MAX = 1.5;
const STEPS_MORE_MAX = 3_000;

type Statistics = { tbl: string; idx: string | null; stat: string }[];

const sum = (steps: Steps): number => steps.values().reduce((total, count) => total + count, 0);

/** The operations and jobs whose work has grown, each with the statements that did. */
function grown(few: Map<string, Steps>, many: Map<string, Steps>): string[] {
  return [...many].flatMap(([name, steps]) => {
    const before = few.get(name)!;
    const perRow = grows[name]?.stepsPerRow ?? 0;
    const allowed = FACTOR_MAX * sum(before) + STEPS_MORE_MAX + perRow * MANY_ROWS;
    if (sum(steps) <= allowed) return [];
    const statements = [...steps]
      .map(([sql, count]) => ({ sql, count, was: before.get(sql) ?? 0 }))
      .filter(({ count, was }) => count > FACTOR_MAX * was + STEPS_MORE_MAX)
      .map(({ sql, count, was }) => `\n    ${was} steps, then ${count}: ${sql}`);
    return [`${name}: ${sum(before)} steps, then ${sum(steps)}${statements.join('')}`];
  });
}

function analyze({ db }: FilledStore): Statistics {
  db.exec('pragma analysis_limit = 1000; analyze');
  // The table has these columns.
  return db.prepare('select * from sqlite_stat1').all() as unknown as Statistics;
}

/** As of a store that has grown since it was analyzed. */
function setStatistics({ db }: FilledStore, statistics: Statistics): void {
  db.exec('begin; drop table if exists sqlite_stat1; analyze; delete from sqlite_stat1');
  const insert = db.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  for (const { tbl, idx, stat } of statistics) insert.run(tbl, idx, stat);
  db.exec('commit');
}

test('no operation and no job does more work because there are more rows that it does not need', async (t) => {
  const small = await FilledStore.open(FEW_ROWS);
  const few = await measure(small, 0);
  const whenSmall = analyze(small);
  const names = new Set(few.keys());
  for (const name of [...Object.keys(grows), ...Object.keys(cases)])
    assert.ok(names.has(name), `${name} is neither an operation nor a job`);
  /** What reads all of a table does so whatever the statistics. */
  const isPlanned = (name: string) => !(name in grows);
  const large = await FilledStore.open(MANY_ROWS);
  await t.test('without statistics', async () => {
    assert.deepEqual(grown(few, await measure(large, 0)), []);
  });
  await t.test('with the statistics of a small store', async () => {
    setStatistics(large, whenSmall);
    assert.deepEqual(grown(few, await measure(large, 1, isPlanned)), []);
  });
  await t.test('with its own statistics', async () => {
    setStatistics(large, analyze(large));
    assert.deepEqual(grown(few, await measure(large, 2, isPlanned)), []);
  });
});
