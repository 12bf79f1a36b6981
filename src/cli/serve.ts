import type { App } from '../app.ts';

/** Serves until told to stop. Whatever happens, the installation is closed in the end. */
export async function serve(app: App, start: () => Promise<void>): Promise<void> {
  try {
    await start();
    await signalled();
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
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        setTimeout(() => process.on(signal, () => process.exit(1)), 1_000).unref();
        process.on(signal, () => {});
        resolve();
      });
    }
  });
}
