import { DatabaseSync } from 'node:sqlite';

/**
 * One server a data folder, since two would each trust their own caches, and one worker. The lock is
 * one that the operating system releases when the process ends, however it ends.
 */
export function lockForServer(file: string): { release(): void } | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    return undefined;
  }
  return { release: () => lock.close() };
}

export { lockForServer as lockForWorker };
