import type { App } from '../app.ts';

const SAME_SIGNAL_MS = 1_000;

/** Serves until told to stop. Whatever happens, the installation is closed in the end. */
export async function serve(app: App, start: () => Promise<void>): Promise<void> {
  // Listened for from the beginning: a signal that comes while it starts is not lost.
  const signal = signalled();
  try {
    await start();
    await signal;
    app.site.log.info({}, 'stopping: what has arrived is answered first');
  } finally {
    await app.close();
  }
}

/**
 * A second signal does not wait. What comes within a second is the same one again: Ctrl+C reaches
 * every process of a terminal, and npm passes it on once more.
 */
async function signalled(): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstMs = 0;
    // The listener stays: without one, even for a moment, a signal would end the process at once.
    const onSignal = () => {
      firstMs ||= performance.now();
      if (performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
