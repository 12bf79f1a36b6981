import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { canKeepIn, NOBODY } from '../../test/postgres/server.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { reasonOf } from '../shared/file-errors.ts';
import { dataFolder, type DataFolder } from './data-folder.ts';

const here = fileURLToPath(new URL('..', import.meta.url));

const PREPARE = `
  const { dataFolder, loadKeyring, prepareFolder } = await import(process.argv[1]);
  try {
    prepareFolder(dataFolder(process.argv[2]));
    loadKeyring(dataFolder(process.argv[2]));
    console.log('fine');
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

/** Runs as an unprivileged user, even if the tests run as root, because root may write everywhere. */
async function prepare(folder: DataFolder): Promise<string> {
  const module = new URL('data-folder.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', PREPARE, module, folder.path];
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return (await promisify(execFile)(process.execPath, args, { cwd: '/', ...user })).stdout.trim();
}

function makeFolder(): DataFolder {
  const around = tempFolder();
  chmodSync(around, 0o755);
  const folder = dataFolder(join(around, 'data'));
  mkdirSync(folder.path, { mode: 0o700 });
  own(folder.path);
  return folder;
}

function own(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
}

describe('a data folder that this user may not use', () => {
  if (canKeepIn(here)) {
    test('is refused with the way out', async () => {
      const folder = makeFolder();
      assert.equal(await prepare(folder), 'fine');
      for (const path of [folder.databaseFile, `${folder.databaseFile}-wal`]) {
        writeFileSync(path, '');
        own(path);
        for (const mode of [0o400, 0o000]) {
          chmodSync(path, mode);
          const refusal = await prepare(folder);
          assert.match(refusal, /^ConfigError: .* cannot be read and written: this user may not\./);
          assert.match(refusal, new RegExp(`${path} .*chown -R USER ${folder.path}`));
        }
        chmodSync(path, 0o600);
      }
      chmodSync(folder.secretFile, 0o000);
      assert.match(
        await prepare(folder),
        /^ConfigError: .*secret\.key cannot be read: this user may not/,
      );
      chmodSync(folder.path, 0o500);
      assert.match(await prepare(folder), /^ConfigError: .*data cannot be read and written/);
    });
  }

  test('is reported as full', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    assert.equal(reasonOf(full), 'there is no space left');
  });
});
