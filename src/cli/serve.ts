import type { App } from '../app.ts';
import { letYoungGenerationGrow } from './young-generation.ts';

const SAME_SIGNAL_MS = 1_000;

/** Serves until a signal arrives. The installation is closed in any case. */
export async function serve(app: App, start: () => Promise<void>): Promise<void> {
  // Registered first, so that a signal during the start is not lost.
  const signal = signalled();
  try {
    await start();
    letYoungGenerationGrow();
    await signal;
    app.site.log.info({}, 'shutting down: draining in-flight requests');
  } finally {
    await app.close();
  }
}

/**
 * A second signal ends the process immediately. A repetition within a second is ignored: Ctrl+C reaches every
 * process of a terminal, and npm forwards it again.
 */
async function signalled(): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstMs = 0;
    // Not removed: without a listener a signal would end the process immediately.
    const onSignal = () => {
      firstMs ||= performance.now();
      if (performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
