import { constants } from 'node:os';
import { rmSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell adds to the number of the signal that ended a command. */
const SIGNAL_EXIT = 128;

/**
 * Does some work that writes drafts. However it ends, also by Ctrl+C, none of them is left: they are removed when the
 * work fails and when the process is asked to stop.
 */
export async function withDrafts<T>(
  drafts: readonly string[],
  work: () => Promise<T> | T,
): Promise<T> {
  const remove = () => {
    for (const draft of drafts) rmSync(draft, { force: true });
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
