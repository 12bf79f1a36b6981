import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { OPEN_WAIT_MS } from './open-wait.ts';
import type { BackupFailure } from './write-backup.ts';

/** Copies a database into a new file, in a thread: see write-backup.ts, which passes the `workerData`. */
const { file, target } = workerData as { file: string; target: string };

let failure: BackupFailure | undefined;
try {
  const db = new DatabaseSync(file, { readOnly: true, timeout: OPEN_WAIT_MS });
  // `vacuum into` is one read transaction, so it ends even if other connections write. The backup function of the
  // driver starts again whenever another connection commits.
  // Only into the file that is there: after Ctrl+C it is gone, and must not be made again before the process ends.
  db.prepare('vacuum into ?').run(`${pathToFileURL(target).href}?mode=rw`);
  db.close();
} catch (error) {
  // The driver adds the result code of SQLite to its errors.
  const { message, errcode } = error as Error & { errcode?: number };
  failure = { message, errcode };
}
parentPort!.postMessage(failure);
