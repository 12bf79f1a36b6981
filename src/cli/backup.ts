import { copyFileSync, chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { noteSecret } from '../db/files/backup-file.ts';
import { secretHashOf } from '../installation/same-secret.ts';
import { CommandError } from '../kernel/declare/command.ts';
import type { Site } from '../kernel/declare/site.ts';
import { isInBucket } from '../modules/files/index.ts';
import { reasonOf } from '../shared/file-errors.ts';
import { copyFiles, filesOf } from './backup-files.ts';
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
    const files = filesOf(target);
    for (const path of [target, secret, files]) if (existsSync(path)) throw exists(path);
    const count = await write(site, folder.secretFile, { target, secret, files }).catch(
      (error: unknown) => {
        if (error instanceof CommandError) throw error;
        throw new CommandError(
          'failed',
          `The backup to ${target} failed: ${reasonOf(error)}. Nothing was left behind.`,
        );
      },
    );
    const written = { database: target, secret, ...(count > 0 && { files }) };
    print(flags.json, written, () =>
      [
        `Database  ${target}`,
        `Secret    ${secret}`,
        ...(count > 0 ? [`Files     ${files} (${count})`] : []),
        ...(isInBucket(site)
          ? ['Uploaded files are in the bucket, and not part of this backup.']
          : []),
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
  { target, secret, files }: { target: string; secret: string; files: string },
): Promise<number> {
  const draft = `${target}.${process.pid}.part`;
  const secretDraft = `${secret}.${process.pid}.part`;
  const filesDraft = `${files}.${process.pid}.part`;
  return withDrafts([draft, `${draft}-journal`, secretDraft, filesDraft], async () => {
    await site.database.backup(draft);
    noteSecret(draft, secretHashOf(site.keyring));
    copyFileSync(secretFile, secretDraft);
    chmodSync(secretDraft, 0o600);
    for (const path of [draft, secretDraft]) syncFile(path);
    const count = isInBucket(site) ? 0 : await copyFiles(site, filesDraft);
    if (count > 0) renameSync(filesDraft, files);
    place(secretDraft, secret);
    try {
      place(draft, target);
    } catch (error) {
      rmSync(secret);
      rmSync(files, { recursive: true, force: true });
      throw error;
    }
    syncFolderOf(target);
    return count;
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
