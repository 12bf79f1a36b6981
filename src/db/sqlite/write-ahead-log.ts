import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../shared/thread-url.ts';
import type { DatabaseLog } from '../unavailable.ts';
import type { SqliteConnection } from './connection.ts';

const MEGABYTE = 1024 * 1024;
/** A thread empties a log that is larger than this. */
const LARGE_BYTES = 64 * MEGABYTE;
const CHECKPOINT_EVERY_MS = 2_000;
/** The operator is warned when the log is this many times as large. */
const WARN_FROM_TIMES = 4;
const WARN_EVERY_MS = 10 * 60_000;
/** SQLite's own default: a commit copies the log into the database when it has this many pages. */
const AUTO_PAGES = 1_000;
/** The most pages that a commit may copy on the event loop, which takes some 50 ms. */
const AUTO_PAGES_MAX = 4_000;

export interface CheckpointResult {
  /** The number of pages that the checkpoint could not copy. */
  left: number;
  /** The file was truncated. */
  isEmpty: boolean;
}

/**
 * Keeps SQLite's write-ahead log small. It grows while any process reads in one long transaction. After
 * that transaction, the next commit would copy the complete log into the database on the event loop, which takes
 * seconds for gigabytes. So while the log is large, commits do not copy it and a thread does; `journal_size_limit`
 * then truncates the file. It is also truncated after an erasure, because it has the erased text.
 */
export class WriteAheadLog {
  readonly #file: string;
  readonly #writer: SqliteConnection;
  readonly #log: DatabaseLog | undefined;
  readonly #largeBytes: number;
  #autoPages = AUTO_PAGES;
  #running: Promise<void> | undefined;
  #checkpointedMs = -Infinity;
  #warnedMs = -Infinity;
  /** How often `empty` was called, and how many of these calls are done. */
  #asked = 0;
  #emptied = 0;

  constructor(
    file: string,
    writer: SqliteConnection,
    options: { log?: DatabaseLog | undefined; largeBytes?: number | undefined },
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#log = options.log;
    this.#largeBytes = options.largeBytes ?? LARGE_BYTES;
  }

  /** Truncates the log as soon as no process reads what it has. */
  empty(): void {
    this.#asked += 1;
  }

  /** Starts a checkpoint if the log is large or must be emptied. Call it a few times per second. */
  checkSize(): void {
    const bytes = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const isLarge = bytes > this.#largeBytes;
    if (!isLarge) this.#setAutoPages(AUTO_PAGES);
    if (!isLarge && this.#emptied === this.#asked) return;
    const nowMs = performance.now();
    if (this.#running || nowMs - this.#checkpointedMs < CHECKPOINT_EVERY_MS) return;
    this.#running = this.#checkpoint().finally(() => {
      this.#checkpointedMs = performance.now();
      this.#running = undefined;
    });
    if (bytes < WARN_FROM_TIMES * this.#largeBytes) return;
    if (nowMs - this.#warnedMs < WARN_EVERY_MS) return;
    this.#warnedMs = nowMs;
    this.#log?.warn(
      { file: `${this.#file}-wal`, megabytes: Math.round(bytes / MEGABYTE) },
      'the log of the database grows, because a process reads in one long transaction: a backup, or an open ' +
        'sqlite3 shell. "fuser -v" on the file names the processes; it shrinks when that one has ended',
    );
  }

  /** Resolves when no thread uses the file any more. */
  async stop(): Promise<void> {
    await this.#running;
  }

  async #checkpoint(): Promise<void> {
    const asked = this.#asked;
    try {
      const { left, isEmpty } = await checkpointInThread(this.#file);
      if (isEmpty) this.#emptied = asked;
      // The next commit copies the few pages that are left; then the log starts again at its beginning.
      this.#setAutoPages(left <= AUTO_PAGES_MAX ? AUTO_PAGES : 0);
    } catch (error) {
      this.#log?.warn({ err: error }, 'the log of the database could not be emptied');
    }
  }

  #setAutoPages(pages: number): void {
    if (pages === this.#autoPages) return;
    this.#autoPages = pages;
    this.#writer.raw.exec(`pragma wal_autocheckpoint = ${pages}`);
  }
}

function checkpointInThread(file: string): Promise<CheckpointResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadUrl('checkpoint-thread', import.meta.url), {
      workerData: { file },
    });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The checkpoint ended without a result')));
  });
}
