import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Syncs a file to disk, so that it is complete after a power failure. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the entries of a folder. File systems that refuse it need no sync. */
export function syncFolderOf(file: string): void {
  try {
    syncFile(dirname(file));
  } catch {
    // The content of the file is already synced.
  }
}

/** Renames a finished draft atomically, and never replaces an existing file. */
export function placeNew(draft: string, target: string): void {
  try {
    linkSync(draft, target);
    rmSync(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // The file system has no hard links.
    renameSync(draft, target);
  }
}
