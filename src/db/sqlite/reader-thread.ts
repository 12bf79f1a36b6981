import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { LongRead, LongReadError, LongReadPiece } from './reader-threads.ts';

/** Runs long statements that read, one after the other: see reader-threads.ts, which passes the `workerData`. */
const { file } = workerData as { file: string };

/** The thread that asked handles one message at a time, so a long result comes in pieces. */
const ROWS_AT_ONCE = 500;
/** Another process may be recovering the log after a crash. */
const BUSY_MAX_MS = 10_000;

const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MAX_MS });
db.exec('pragma trusted_schema = off; pragma temp_store = memory');
const statements = new Map<string, StatementSync>();
let rows: Iterator<unknown, unknown> | undefined;

function prepared(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (!statement) {
    statements.set(sql, (statement = db.prepare(sql)));
    statement.setReturnArrays(true);
  }
  return statement;
}

function nextPiece(): LongReadPiece {
  const piece: unknown[] = [];
  while (piece.length < ROWS_AT_ONCE) {
    const { done, value } = rows!.next();
    if (done) return { rows: piece, isLast: true };
    piece.push(value);
  }
  return { rows: piece, isLast: false };
}

/** An error cannot be passed on with its properties. */
function errorOf(error: unknown): LongReadError {
  // The driver throws errors only.
  const { message, errcode } = error as Error & { errcode?: number };
  return { message, errcode };
}

// Without a statement the message asks for more rows of the last one.
parentPort!.on('message', (read: LongRead | null) => {
  try {
    if (!read) return parentPort!.postMessage(nextPiece());
    const statement = prepared(read.sql);
    // The values are those of a query, whose type does not say that they are text, numbers and null.
    rows = statement.iterate(...(read.values as SQLInputValue[]));
    const columns = statement.columns().map(({ name }) => name);
    parentPort!.postMessage({ ...nextPiece(), columns });
  } catch (error) {
    parentPort!.postMessage(errorOf(error));
  }
});
