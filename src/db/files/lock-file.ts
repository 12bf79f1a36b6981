import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../sqlite/sqlite-errors.ts';
import { makePrivateFile } from './private-file.ts';

/**
 * Takes a lock that the operating system releases when the process ends, however it ends. Undefined when
 * another process has it.
 */
export function lockFile(file: string): { release(): void } | undefined {
  makePrivateFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
  return { release: () => lock.close() };
}
