import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadUrl } from '../../shared/thread-url.ts';
import type { DatabaseLog } from '../unavailable.ts';
import { CHECKED_WHOLE_BYTES } from './check-file.ts';
import type { SqliteHealth } from './health.ts';

/**
 * Checks a file for damage while the service runs, when it is too large to be checked before the start (about a
 * second per 300 MB). Damage makes the database refuse changes, which the log and `/readyz` report.
 */
export class QuickCheck {
  #thread: Worker | undefined;

  /** Does nothing for a file that was checked when it was opened. */
  start(
    file: string,
    health: SqliteHealth,
    {
      log,
      wholeBytes = CHECKED_WHOLE_BYTES,
    }: { log?: DatabaseLog | undefined; wholeBytes?: number | undefined },
  ): void {
    if (statSync(file).size <= wholeBytes) return;
    const thread = new Worker(threadUrl('quick-check-thread', import.meta.url), {
      workerData: { file },
    });
    this.#thread = thread;
    thread.unref();
    thread.once('message', (damage: string | null) => {
      if (damage === null) log?.info({ file }, 'every page of the database was checked: no damage');
      else health.noteDamage(damage);
    });
    thread.once('error', (error) => {
      // SQLite throws when it cannot read a page at all.
      health.explain(error);
      if (health.error() === undefined) {
        log?.warn({ err: error, file }, 'the database could not be checked for damage');
      }
    });
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }
}
