import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { BackupFailure } from './write-backup.ts';

/** Copies a database into a new file, in a thread of its own: see write-backup.ts. */
const { file, target } = workerData as { file: string; target: string };
const OPEN_WAIT_MS = 10_000;

let failure: BackupFailure | undefined;
try {
  const db = new DatabaseSync(file, { readOnly: true, timeout: OPEN_WAIT_MS });
  // One read transaction, so that it ends while other connections write. The driver's own backup starts
  // again whenever another connection commits.
  db.prepare('vacuum into ?').run(target);
  db.close();
} catch (error) {
  const { message, errcode } = error as Error & { errcode?: number };
  failure = { message, errcode };
}
parentPort!.postMessage(failure);
