import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { inspectBackup, type BackupContents } from '../db/files/backup-file.ts';
import { UnusableDatabase } from '../db/unavailable.ts';
import { loadEdition } from '../edition-pro.ts';
import { allMigrations } from '../installation/all-migrations.ts';
import { ConfigError, resolveConfig } from '../installation/config.ts';
import {
  dataFolder,
  keyringOf,
  prepareFolder,
  type DataFolder,
} from '../installation/data-folder.ts';
import { lockServer, lockWorker } from '../installation/folder-locks.ts';
import { loadExtensions } from '../installation/load-extensions.ts';
import { secretHashOf } from '../installation/same-secret.ts';
import { CommandError } from '../kernel/declare/command.ts';
import { countOf } from '../shared/count-of.ts';
import { reasonOf } from '../shared/file-errors.ts';
import { copyFolder, filesOf } from './backup-files.ts';
import { print } from './output.ts';
import { syncFile, syncFolderOf } from './place-files.ts';
import { withDrafts } from './with-drafts.ts';
import type { Flags } from './with-site.ts';

export interface RestoreFlags extends Flags {
  secret?: string;
  force?: boolean;
}

/** Restores a backup into the data folder. All checks run before the first change. */
export async function restore(file: string, flags: RestoreFlags): Promise<void> {
  const { secret, force = false, json, ...rest } = flags;
  const { config } = resolveConfig(rest, process.env);
  if (config.databaseUrl !== '') {
    throw new CommandError(
      'refused',
      'The database is on a server: restore it with pg_restore, and put its secret.key into the data ' +
        'folder. See "Backup and restore" in docs/operating.md.',
    );
  }
  const source = {
    database: resolve(file),
    secret: resolve(secret ?? `${file}.secret`),
    files: filesOf(resolve(file)),
  };
  const contents = await check(source, config.extensions);
  const folder = dataFolder(config.data);
  const present = presentFiles(folder, source.secret);
  if (present.length > 0 && !force) {
    throw new CommandError(
      'refused',
      `There is an installation in ${folder.path} already (${present.map((path) => basename(path)).join(', ')}). ` +
        'Choose an empty folder with --data, or let --force move it aside.',
    );
  }
  prepareFolder(folder);
  const locks = [lockServer(folder), lockWorker(folder)];
  try {
    const aside = await put(source, folder, present);
    print(
      json,
      {
        database: source.database,
        secret: source.secret,
        data: folder.path,
        aside: aside ?? null,
        ...summaryOf(contents),
      },
      () => describe(source.database, folder, contents, aside),
    );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      'failed',
      `${source.database} could not be restored: ${reasonOf(error)}. The data folder is as it was.`,
    );
  } finally {
    for (const lock of locks) lock.release();
  }
}

interface Source {
  database: string;
  secret: string;
  /** The folder with the uploaded files; a backup without any has none. */
  files: string;
}

/** Refuses a backup that could not be used: a damaged, foreign or newer file, or the wrong secret. */
async function check({ database, secret }: Source, extensions: string): Promise<BackupContents> {
  if (!existsSync(database)) throw new CommandError('notFound', `There is no file ${database}.`);
  if (!existsSync(secret)) {
    throw new CommandError(
      'notFound',
      `There is no file ${secret}. Without the secret of the backup no key, password or payout detail in it can ` +
        'be used. Say where it is with --secret FILE.',
    );
  }
  const contents = inspect(database);
  const added = (await loadExtensions(extensions)).flatMap(({ modules }) => modules ?? []);
  const migrations = allMigrations([...(await loadEdition('pro')), ...added]);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = contents.migrations.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new CommandError(
      'refused',
      `${database} was written by a newer version of Tributary: this one does not know its migration "${unknown}". ` +
        'Restore it with that version.',
    );
  }
  const hash = secretHashOf(keyringOf(secret));
  if (contents.secretHash !== undefined && contents.secretHash !== hash) {
    throw new CommandError('refused', `${secret} is not the secret of ${database}.`);
  }
  return contents;
}

function inspect(database: string): BackupContents {
  try {
    return inspectBackup(database);
  } catch (error) {
    throw error instanceof UnusableDatabase ? new ConfigError(error.message) : error;
  }
}

/** Files that a restore would replace. An identical secret, such as a mounted one, may stay. */
function presentFiles(folder: DataFolder, secret: string): string[] {
  const { databaseFile, secretFile, filesFolder } = folder;
  const database = [databaseFile, `${databaseFile}-wal`, `${databaseFile}-shm`, filesFolder].filter(
    existsSync,
  );
  const isSame = !existsSync(secretFile) || readFileSync(secretFile).equals(readFileSync(secret));
  if (database.length === 0 && isSame) return [];
  return isSame ? database : [...database, secretFile];
}

/** Copies to draft names, then moves the existing files aside, then renames the copies. */
async function put(
  source: Source,
  folder: DataFolder,
  present: readonly string[],
): Promise<string | undefined> {
  const draft = `${folder.databaseFile}.part`;
  const secretDraft = `${folder.secretFile}.part`;
  const filesDraft = `${folder.filesFolder}.part`;
  return withDrafts([draft, secretDraft, filesDraft], async () => {
    for (const [from, to] of [
      [source.database, draft],
      [source.secret, secretDraft],
    ] as const) {
      await copyFile(from, to);
      chmodSync(to, 0o600);
      syncFile(to);
    }
    if (existsSync(source.files)) copyFolder(source.files, filesDraft);
    const aside = present.length === 0 ? undefined : folderAside(folder);
    const undo: (() => void)[] = [];
    const move = (from: string, to: string) => {
      renameSync(from, to);
      undo.unshift(() => renameSync(to, from));
    };
    try {
      for (const path of present) move(path, join(aside!, basename(path)));
      move(draft, folder.databaseFile);
      if (existsSync(filesDraft)) move(filesDraft, folder.filesFolder);
      if (!existsSync(folder.secretFile)) move(secretDraft, folder.secretFile);
    } catch (error) {
      for (const back of undo) back();
      throw error;
    }
    syncFolderOf(folder.databaseFile);
    return aside;
  });
}

function folderAside(folder: DataFolder): string {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const aside = join(folder.path, `replaced-${stamp}`);
  mkdirSync(aside, { mode: 0o700 });
  return aside;
}

function summaryOf({ users, orders, newestEventMs }: BackupContents) {
  const newest = newestEventMs === null ? null : new Date(newestEventMs).toISOString();
  return { users, orders, newest_event: newest };
}

function describe(
  file: string,
  folder: DataFolder,
  contents: BackupContents,
  aside: string | undefined,
): string {
  const { users, orders, newest_event } = summaryOf(contents);
  return [
    `Restored ${file} into ${folder.path}: ${countOf(users, 'user')}, ${countOf(orders, 'order')}.`,
    `Newest event: ${newest_event ?? 'none'}. What happened after it is not there.`,
    ...(aside === undefined ? [] : [`The installation that was there is in ${aside}.`]),
    '',
    'Next:',
    `  ./tributary verify --data ${folder.path}   adds up the money`,
    `  ./tributary start --data ${folder.path}`,
    'Emails, webhooks and payouts that waited when the backup was made go on at the start. For a copy that is only to be',
    'looked at: ./tributary start --worker off',
  ].join('\n');
}
