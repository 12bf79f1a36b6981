import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../shared/thread-url.ts';

/**
 * Makes SQLite count how many rows its indexes tell apart, if it never has or if a table has grown tenfold since.
 * The connections of all processes plan their statements by the result from their next run on. It runs in a thread,
 * because it may have to wait for the write lock, and changes nothing for most calls.
 */
export async function updateStatistics(file: string): Promise<void> {
  const thread = new Worker(threadUrl('statistics-thread', import.meta.url), {
    workerData: { file },
    // A thread would inherit flags of the process that are not for files, such as `--input-type`.
    execArgv: [],
  });
  // An error in the thread rejects.
  await once(thread, 'exit');
}
