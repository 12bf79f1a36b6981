import { copyFileSync, chmodSync, existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { noteSecret } from '../db/files/backup-file.ts';
import { reasonOf } from '../installation/folder-permissions.ts';
import type { Site } from '../kernel/declare/site.ts';
import { secretHashOf } from '../installation/same-secret.ts';
import { CommandError } from '../kernel/declare/command.ts';
import { print } from './output.ts';
import { placeNew, syncFile, syncFolderOf } from './place-files.ts';
import { withDrafts } from './with-drafts.ts';
import { withSite, type Flags } from './with-site.ts';

export async function backup(file: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site, { folder, config }) => {
    if (config.databaseUrl !== '') {
      throw new CommandError(
        'refused',
        'The database is on a server: copy it with pg_dump, and keep secret.key of the data ' +
          'folder with it.',
      );
    }
    const target = resolve(file);
    if (!existsSync(dirname(target))) {
      throw new CommandError('notFound', `There is no folder ${dirname(target)}. Make it first.`);
    }
    const secret = `${target}.secret`;
    for (const path of [target, secret]) if (existsSync(path)) throw exists(path);
    await write(site, folder.secretFile, { target, secret }).catch((error: unknown) => {
      if (error instanceof CommandError) throw error;
      throw new CommandError(
        'failed',
        `The backup to ${target} failed: ${reasonOf(error)}. Nothing was left behind.`,
      );
    });
    print(flags.json, { database: target, secret }, () =>
      [
        `Database  ${target}`,
        `Secret    ${secret}`,
        'Keep both: without the secret no key or password of the database is valid.',
        `To restore them into an empty folder: ./tributary restore ${target} --data FOLDER`,
      ].join('\n'),
    );
  });
}

/** Writes to draft names first, so that a file with the final name is complete. */
async function write(
  site: Site,
  secretFile: string,
  { target, secret }: { target: string; secret: string },
): Promise<void> {
  const draft = `${target}.${process.pid}.part`;
  const secretDraft = `${secret}.${process.pid}.part`;
  await withDrafts([draft, `${draft}-journal`, secretDraft], async () => {
    await site.database.backup(draft);
    noteSecret(draft, secretHashOf(site.keyring));
    copyFileSync(secretFile, secretDraft);
    chmodSync(secretDraft, 0o600);
    for (const path of [draft, secretDraft]) syncFile(path);
    place(secretDraft, secret);
    try {
      place(draft, target);
    } catch (error) {
      rmSync(secret);
      throw error;
    }
    syncFolderOf(target);
  });
}

function place(draft: string, target: string): void {
  try {
    placeNew(draft, target);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(target) : error;
  }
}

function exists(path: string): CommandError {
  return new CommandError('refused', `${path} exists. Choose a name that does not.`);
}
