import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../shared/thread-url.ts';

/** A statement and its values. */
export interface LongRead {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface LongReadPiece {
  readonly rows: unknown[];
  /** With the first piece only. */
  readonly columns?: readonly string[];
  readonly isLast: boolean;
}

export interface LongReadError {
  readonly message: string;
  readonly errcode: number | undefined;
}

/** As many as there may be long reads at a time; others wait. A thread takes 10 MB. */
const THREADS_MAX = 2;
/** A statement reads so few rows in a small database that a thread would only cost memory. */
const LONG_FROM_BYTES = 8 * 1024 * 1024;
const IDLE_MAX_MS = 30_000;

interface ReaderThread {
  readonly worker: Worker;
  /** Aborts what waits for it when it has ended. */
  readonly ended: AbortSignal;
  /** Ends it when it was idle for a while. */
  timer?: NodeJS.Timeout;
}

/**
 * Threads with a connection of their own each, for the statements that are declared long: SQLite blocks the thread that
 * runs a statement, which must not be the one that answers requests. A thread starts with the first long statement and
 * ends when there was none for a while.
 */
export class ReaderThreads {
  readonly #file: string;
  readonly #longFromBytes: number;
  readonly #threads = new Set<ReaderThread>();
  readonly #idle: ReaderThread[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(file: string, longFromBytes: number = LONG_FROM_BYTES) {
    this.#file = file;
    this.#longFromBytes = longFromBytes;
  }

  /** Whether the database is so large that a statement can take long. */
  areNeeded(): boolean {
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return sizeOf(this.#file) + sizeOf(`${this.#file}-wal`) >= this.#longFromBytes;
  }

  /** The rows as arrays, and the names of their columns. */
  async read(statement: LongRead): Promise<{ rows: unknown[]; columns: readonly string[] }> {
    if (this.#running >= THREADS_MAX) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    const thread = this.#idle.pop() ?? this.#start();
    clearTimeout(thread.timer);
    thread.worker.ref();
    try {
      const result = await readIn(thread, statement);
      this.#keep(thread);
      return result;
    } catch (error) {
      // It may be in the middle of a result.
      void this.#end(thread);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async close(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  #start(): ReaderThread {
    const worker = new Worker(threadUrl('reader-thread', import.meta.url), {
      workerData: { file: this.#file },
      // A thread would inherit flags of the process that are not for files, such as `--input-type`.
      execArgv: [],
    });
    const ended = new AbortController();
    worker.once('exit', () => ended.abort());
    const thread: ReaderThread = { worker, ended: ended.signal };
    this.#threads.add(thread);
    return thread;
  }

  #keep(thread: ReaderThread): void {
    // A command ends although its thread could read more.
    thread.worker.unref();
    thread.timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(thread), 1);
      void this.#end(thread);
    }, IDLE_MAX_MS).unref();
    this.#idle.push(thread);
  }

  async #end(thread: ReaderThread): Promise<void> {
    clearTimeout(thread.timer);
    this.#threads.delete(thread);
    await thread.worker.terminate();
  }
}

async function readIn(
  { worker, ended }: ReaderThread,
  statement: LongRead,
): Promise<{ rows: unknown[]; columns: readonly string[] }> {
  const rows: unknown[] = [];
  let columns: readonly string[] = [];
  for (let asked: LongRead | null = statement; ; asked = null) {
    const answered = once(worker, 'message', { signal: ended });
    worker.postMessage(asked);
    // It also rejects when the thread fails. `once` does not know the type of the message.
    const [answer] = (await answered) as [LongReadPiece | LongReadError];
    if ('message' in answer) throw Object.assign(new Error(answer.message), answer);
    for (const row of answer.rows) rows.push(row);
    columns = answer.columns ?? columns;
    if (answer.isLast) return { rows, columns };
  }
}
