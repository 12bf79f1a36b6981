import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointResult } from './write-ahead-log.ts';

/** Copies the write-ahead log into the database, in a thread: see write-ahead-log.ts, which passes `workerData`. */
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { timeout: 0 });
// The pragma returns one row with these columns: https://sqlite.org/pragma.html#pragma_wal_checkpoint
const checkpoint = (mode: string) =>
  db.prepare(`pragma wal_checkpoint(${mode})`).get() as { log: number; checkpointed: number };

// A passive checkpoint blocks no other connection. Truncating needs the write lock, for
// a short time if no page is left to copy.
let { log, checkpointed } = checkpoint('passive');
if (log === checkpointed) ({ log, checkpointed } = checkpoint('truncate'));
db.close();
parentPort!.postMessage({
  left: Math.max(0, log - checkpointed),
  isEmpty: log === 0,
} satisfies CheckpointResult);
