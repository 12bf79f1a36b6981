import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { DataFolder } from './data-folder.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kernel/declare/log.ts';
import type { Module } from '../kernel/declare/module.ts';
import type { Keyring } from '../shared/secrets.ts';

const EXPLANATION =
  '# These modules have bound what they keep encrypted to its rows. Values that are not bound are\n' +
  '# no longer read. To read a backup that was made before, put it into a folder without this file.\n';

/**
 * Binds values that earlier versions encrypted to their rows, once per module. A file beside the secret
 * records that it was done. A record in the database could be reset by an attacker who can only write to
 * the database, and values copied into other rows would be accepted again.
 */
export async function bindOldSecrets(
  database: Database,
  {
    modules,
    keyring,
    folder,
    log,
  }: {
    modules: readonly Module[];
    keyring: Keyring;
    folder: DataFolder;
    log: Log;
  },
): Promise<void> {
  const done = readDone(folder);
  const left = modules.filter(({ name, bindSecrets }) => bindSecrets && !done.has(name));
  if (left.length === 0) return;
  for (const module of left) {
    await module.bindSecrets!(database, { keyring });
    done.add(module.name);
  }
  try {
    writeFileSync(folder.boundFile, EXPLANATION + [...done].map((name) => `${name}\n`).join(''), {
      mode: 0o600,
    });
  } catch (error) {
    const reason = (error as Error).message;
    log.warn(
      { file: folder.boundFile, reason },
      'the file cannot be written, so that the next start accepts values of earlier versions again',
    );
  }
}

function readDone({ boundFile }: DataFolder): Set<string> {
  if (!existsSync(boundFile)) return new Set();
  const lines = readFileSync(boundFile, 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
