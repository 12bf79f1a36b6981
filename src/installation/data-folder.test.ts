import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { dataFolder } from './data-folder.ts';

const hashOf = `
  const { dataFolder, loadKeyring } = await import(process.argv[1]);
  console.log(loadKeyring(dataFolder(process.argv[2])).hash('test', 'x'));
`;

test('processes that start concurrently on an empty folder share one secret', async () => {
  const folder = tempFolder();
  const module = new URL('data-folder.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', hashOf, module, folder];
  const hashes = await Promise.all(
    Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, args)),
  );
  assert.equal(new Set(hashes.map(({ stdout }) => stdout)).size, 1);
  assert.deepEqual(readdirSync(folder), ['secret.key']);
  assert.equal(statSync(dataFolder(folder).secretFile).mode & 0o777, 0o600);
});
