import type { Recorded } from './recorded.ts';

/** The statements of writes by the driver alone: prepared, run, committed. */
export interface RawWriter {
  /** How many writes a second, as many at once and as many to a commit as the service makes them. */
  one(writes: readonly Recorded[], atOnce: number): Promise<number>;
  /** How many writes a second where each is one commit and they follow each other. */
  batches(writes: readonly Recorded[]): Promise<number>;
  close(): Promise<void>;
}
