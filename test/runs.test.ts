import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const listOf = (...flags: string[]) =>
  execFileSync(process.execPath, ['scripts/test.ts', '--list', ...flags], {
    cwd: root,
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

test('npm test and what it leaves are all tests, and none is in both', () => {
  const all = listOf('--all');
  assert.deepEqual([...listOf(), ...listOf('--rest')].sort(), all.toSorted());
  const listed = new Set(all.map((line) => /\S+\.test\.ts(?=: )/.exec(line)![0]));
  const files = globSync('{src,addons,test,examples}/**/*.test.ts', { cwd: root });
  assert.deepEqual([...listed].sort(), files.sort());
});

test('every file of a run has its reason', () => {
  for (const line of listOf('--all')) assert.match(line, /npm run test\S* +\S+\.test\.ts: \S/);
});

test('package.json has nineteen scripts for people, and two that npm runs', () => {
  const { prepare: _1, prepack: _2, ...scripts } = manifest.scripts;
  const names = 'start demo dev build test test:all test:file test:changed lint typecheck format';
  const checks = 'format:check check generate bench size';
  const drills = 'drill:failover drill:pgbouncer drill:growth';
  assert.deepEqual(Object.keys(scripts), `${names} ${checks} ${drills}`.split(' '));
});
