import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Shells report 128 plus the signal number as the exit code. */
const SIGNAL_EXIT = 128;

/**
 * Runs work that writes draft files or folders, and removes the drafts if the work fails or the process receives a signal,
 * such as Ctrl+C.
 */
export async function withDrafts<T>(
  drafts: readonly string[],
  work: () => Promise<T> | T,
): Promise<T> {
  const remove = () => {
    for (const draft of drafts) rmSync(draft, { recursive: true, force: true });
  };
  const stop = (signal: (typeof SIGNALS)[number]) => {
    remove();
    console.error(`tributary: interrupted by ${signal}; nothing was left behind.`);
    process.exit(SIGNAL_EXIT + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    remove();
  }
}
