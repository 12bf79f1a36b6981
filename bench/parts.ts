import { setTimeout } from 'node:timers/promises';
import { writeJson, type Result } from './result.ts';

interface Run {
  /** Where the result is written. */
  readonly file: string;
  readonly minutes: number;
  /** Ends what a part left that failed. */
  clear(): void;
}

/**
 * Runs the parts of the benchmark one after another and writes the result after each. A part that fails, or that has
 * not ended when the time of the run is over, loses only its own figures.
 */
export class Parts {
  readonly #result: Result;
  readonly #run: Run;
  readonly #endsAtMs: number;

  constructor(result: Result, run: Run) {
    this.#result = result;
    this.#run = run;
    this.#endsAtMs = performance.now() + run.minutes * 60_000;
  }

  async run(name: string, work: () => Promise<void>): Promise<void> {
    const { parts, failures } = this.#result;
    const startedMs = performance.now();
    process.stdout.write(`measuring ${name} …`);
    try {
      await this.#inTime(work);
      parts.push(name);
      console.log(` ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push({ part: name, reason });
      console.log(` FAILED: ${error instanceof Error ? error.stack : reason}`);
      this.#run.clear();
    }
    writeJson(this.#run.file, this.#result);
  }

  async #inTime(work: () => Promise<void>): Promise<void> {
    const { minutes } = this.#run;
    const leftMs = this.#endsAtMs - performance.now();
    if (leftMs < 1) throw new Error(`not begun: ${minutes} minutes are over`);
    const ended = new AbortController();
    // Whole milliseconds: a timer cuts off the fraction, and the next part would begin in it.
    const limit = setTimeout(Math.ceil(leftMs), undefined, { signal: ended.signal }).then(
      () => {
        throw new Error(`not ended when ${minutes} minutes were over`);
      },
      () => {},
    );
    try {
      await Promise.race([work(), limit]);
    } finally {
      ended.abort();
    }
  }
}
