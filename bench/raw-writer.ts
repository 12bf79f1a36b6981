import type { Recorded } from './recorded.ts';

/** Runs the statements of writes with the driver alone: prepared, run, committed. */
export interface RawWriter {
  /** Writes per second, with the concurrency and commit sizes of the service. */
  one(writes: readonly Recorded[], atOnce: number): Promise<number>;
  /** Writes per second with one commit per write, one after another. */
  batches(writes: readonly Recorded[]): Promise<number>;
  close(): Promise<void>;
}
