import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Parts } from '../../bench/parts.ts';
import type { Result } from '../../bench/result.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { resultOf } from './results.ts';

test('a part that fails is named, and neither earlier nor later results are lost', async () => {
  const file = join(tempFolder(), 'result.json');
  const written = () => JSON.parse(readFileSync(file, 'utf8')) as Result;
  const result = resultOf([]);
  let cleared = 0;
  const parts = new Parts(result, { file, minutes: 1, clear: () => (cleared += 1) });
  const measure = (name: string) => async () =>
    void result.figures.push({ group: 'takes', name, database: 'SQLite', value: 1 });

  await parts.run('first', measure('one'));
  assert.deepEqual(written().parts, ['first']);
  await parts.run('second', () => Promise.reject(new Error('no such table')));
  await parts.run('third', measure('two'));

  const { parts: ended, failures, figures } = written();
  assert.deepEqual(ended, ['first', 'third']);
  assert.deepEqual(failures, [{ part: 'second', reason: 'no such table' }]);
  assert.deepEqual(
    figures.map(({ name }) => name),
    ['one', 'two'],
  );
  assert.equal(cleared, 1);
});

test('a part that never ends fails when the time is over', async () => {
  const file = join(tempFolder(), 'result.json');
  const result = resultOf([]);
  const parts = new Parts(result, { file, minutes: 0.001, clear: () => {} });
  await parts.run('endless', () => new Promise(() => {}));
  await parts.run('next', async () => {});
  assert.deepEqual(
    result.failures.map(({ part }) => part),
    ['endless', 'next'],
  );
});
