import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner may read, unless it exists. An existing file is not even opened: closing
 * it would release the locks that SQLite has on it in this process.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // node:fs throws errors with the code of the operating system.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
