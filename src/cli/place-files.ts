import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file to the disk, so that it is whole after a power failure too. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the names of a folder to the disk. File systems that cannot sync a folder do so by themselves. */
export function syncFolderOf(file: string): void {
  try {
    syncFile(dirname(file));
  } catch {
    // Nothing is lost that was not lost before: the content of the file is on the disk.
  }
}

/** Gives a finished draft its name in one step, and never replaces a file that has the name by then. */
export function placeNew(draft: string, target: string): void {
  try {
    linkSync(draft, target);
    rmSync(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A file system without links.
    renameSync(draft, target);
  }
}
