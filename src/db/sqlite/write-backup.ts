import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../shared/thread-url.ts';
import { makePrivateFile } from '../files/private-file.ts';
import { isSqliteError } from './sqlite-errors.ts';

export interface BackupFailure {
  message: string;
  errcode: number | undefined;
}

/**
 * Writes a complete copy of a SQLite database while other connections use it. It runs in a thread, so
 * that the process can react to Ctrl+C and remove what was written so far.
 */
export async function writeBackup(file: string, target: string): Promise<void> {
  makePrivateFile(target);
  const worker = new Worker(threadUrl('backup-thread', import.meta.url), {
    workerData: { file, target },
  });
  // The thread sends one message, and `once` does not know its type.
  const [failure] = (await once(worker, 'message')) as [BackupFailure | undefined];
  if (failure === undefined) return;
  const reason = isSqliteError(failure, 'full') ? 'there is no space left' : failure.message;
  throw new Error(reason, { cause: failure });
}
