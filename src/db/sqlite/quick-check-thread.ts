import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { findDamage } from './check-file.ts';

/** Checks every page of a large database, in a thread: see quick-check.ts, which passes the `workerData`. */
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { readOnly: true });
try {
  parentPort!.postMessage(findDamage(db) ?? null);
} finally {
  db.close();
}
