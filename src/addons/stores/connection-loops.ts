import { perSite } from '../../kernel/declare/site.ts';

/**
 * Work for connections that continues between the runs of a job: a slow store delays no other one. A connection has
 * one loop of a kind at a time.
 */
class ConnectionLoops {
  readonly #running = new Map<string, Promise<void>>();
  isClosed = false;

  start(name: string, work: () => Promise<void>): void {
    if (this.isClosed || this.#running.has(name)) return;
    const run = work().finally(() => this.#running.delete(name));
    // `settled` reports the error to the job.
    run.catch(() => {});
    this.#running.set(name, run);
  }

  /** Waits until all loops whose name begins so have ended. */
  async settled(prefix: string): Promise<void> {
    await Promise.all(
      [...this.#running].flatMap(([name, run]) => (name.startsWith(prefix) ? run : [])),
    );
  }
}

export const loopsOf = perSite(() => new ConnectionLoops());
