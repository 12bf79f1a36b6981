import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { describeFailure, partOf, slowestFirst, type Job } from '../scripts/test-jobs.ts';
import { Run } from '../scripts/test-run.ts';
import { tempFile } from './support/temp-folder.ts';

const jobs: Job[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
  database: 'SQLite',
  files: [`${name}.test.ts`],
  entry: name,
}));
const durations = { SQLite: { 'c.test.ts': 90, 'f.test.ts': 60, 'a.test.ts': 50 } };
const namesOf = (some: readonly Job[]) => some.map(({ entry }) => entry);

describe('the jobs of a run', () => {
  test('the slowest comes first, and files without a record last', () => {
    assert.deepEqual(namesOf(slowestFirst(jobs, durations)), ['c', 'f', 'a', 'b', 'd', 'e', 'g']);
  });

  test('each job is in one part, and no part has two of the slowest', () => {
    const parts = [1, 2, 3].map((part) => namesOf(partOf(jobs, part, 3, durations)));
    assert.deepEqual(parts.flat().sort(), namesOf(jobs));
    assert.deepEqual(parts.map(([first]) => first).sort(), ['a', 'c', 'f']);
  });
});

const failing = `
  import { describe, test } from 'node:test';
  describe('some.test.ts', () => {
    describe('a coupon', () => {
      test('is saved', () => {});
      test('is refused', () => { throw new Error('accepted'); });
    });
  });
  describe('other.test.ts', () => test('passes', () => {}));
`;

async function runOne(database: string, files: string[], program: string): Promise<Run> {
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const run = new Run({ [database]: env }, { showsTests: false });
  after(() => rmSync(run.folder, { recursive: true, force: true }));
  await run.all([{ database, files, entry: tempFile('entry.mjs', program) }], 1);
  return run;
}

describe('a run', () => {
  test('names a failed test by its file and all titles, and how to run it', async () => {
    const run = await runOne('PostgreSQL', ['some.test.ts', 'other.test.ts'], failing);
    assert.equal(run.failures.length, 1);
    const text = describeFailure(run.failures[0]!);
    assert.match(text, /^PostgreSQL: some\.test\.ts\n {2}a coupon > is refused\n/);
    assert.match(text, /Error: accepted/);
    assert.match(text, /npm test -- --only=postgres some\.test\.ts$/);
    const [[name, summary] = ['', '']] = run.summaries();
    assert.equal(name, 'PostgreSQL');
    assert.match(summary, /^tests 3 {2}pass 2 {2}fail 1 {2}cancelled 0 {2}skipped 0 {2}in /);
    const timed = run.slowest().map(({ file }) => file);
    assert.deepEqual(timed.sort(), ['other.test.ts', 'some.test.ts']);
    const [busiest] = run.busiest();
    assert.equal(busiest!.name, 'some.test.ts and 1 more');
    assert.ok(busiest!.seconds > 0);
  });

  test('a process that ends before its tests has failed, with what it said', async () => {
    const program = `console.log('good', 'bye'); process.exit(0);`;
    const { failures } = await runOne('SQLite', ['some.test.ts'], program);
    assert.deepEqual(failures[0]!.path, ['the process ended with status 0']);
    assert.match(failures[0]!.error, /good bye/);
  });
});
