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

/** A second signal does not wait. */
async function signalled(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
