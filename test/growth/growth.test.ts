import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases } from './cases.ts';
import { FEW_ROWS, MANY_ROWS } from './fill.ts';
import { FilledStore } from './filled-store.ts';
import { grows } from './grows.ts';
import { measure } from './measure.ts';
import { counting, stepsOf, type Steps } from './steps.ts';

/** Differences that are no growth: a page of rows that was cached before, a few rows that earlier calls have added. */
const FACTOR_MAX = 1.5;
const STEPS_MORE_MAX = 3_000;

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

/** SQLite plans both stores by the statistics that belong to the schema, as it does every installation. */
test(
  'no operation and no job does more work because there are more rows that it does not need',
  counting,
  async () => {
    const few = await measure(await FilledStore.open(FEW_ROWS), stepsOf);
    const names = new Set(few.keys());
    for (const name of [...Object.keys(grows), ...Object.keys(cases)])
      assert.ok(names.has(name), `${name} is neither an operation nor a job`);
    const many = await measure(await FilledStore.open(MANY_ROWS), stepsOf);
    assert.deepEqual(grown(few, many), []);
  },
);
