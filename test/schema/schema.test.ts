import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { testServer } from '../postgres/databases.ts';
import { tempFolder } from '../process/launch.ts';
import { runJson } from '../process/run.ts';
import { readSchema, storedSchema } from './read-schema.ts';

test('docs/schema has what the migrations create; "npm run generate" writes it', async () => {
  const data = join(tempFolder(), 'data');
  const person = ['--login', 'admin', '--email', 'admin@test.example'];
  await runJson(['admin', 'create', ...person, '--data', data]);
  const database = testServer() === undefined ? 'sqlite' : 'postgres';
  assert.equal(await readSchema(data), storedSchema(database));
});
