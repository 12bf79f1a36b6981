import { copyFileSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../kernel/declare/site.ts';
import { keptFiles } from '../modules/files/index.ts';
import { syncFile } from './place-files.ts';

/** The folder beside a backup that holds its uploaded files. */
export const filesOf = (backup: string): string => `${backup}.files`;

/** Copies the files of the data folder. Returns how many; the folder is not made for none. */
export async function copyFiles(site: Site, folder: string): Promise<number> {
  let count = 0;
  for await (const { key, small_bytes } of keptFiles(site)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of small_bytes > 0 ? [key, `${key}-small`] : [key]) {
      const from = join(site.filesFolder, name);
      // One that was deleted since its row was read, or that "verify" would name.
      if (!existsSync(from)) continue;
      const to = join(folder, name);
      // A file never changes, so a file system that can share the blocks of two copies may do so.
      copyFileSync(from, to, constants.COPYFILE_FICLONE);
      syncFile(to);
    }
    count += 1;
  }
  return count;
}

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
