import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Checkpointed } from './write-ahead-log.ts';

/** Copies SQLite's write-ahead log into the database, in a thread of its own: see write-ahead-log.ts. */
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { timeout: 0 });
const checkpoint = (mode: string) =>
  db.prepare(`pragma wal_checkpoint(${mode})`).get() as { log: number; checkpointed: number };

// A passive checkpoint blocks no other connection. Truncating needs the write lock; with nothing left to copy it is short.
let { log, checkpointed } = checkpoint('passive');
if (log === checkpointed) ({ log, checkpointed } = checkpoint('truncate'));
db.close();
parentPort!.postMessage({ left: Math.max(0, log - checkpointed) } satisfies Checkpointed);
