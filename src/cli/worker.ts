import { openApp } from '../app.ts';
import { resolveConfig } from '../installation/config.ts';
import { createLog } from './log.ts';
import { print } from './output.ts';
import { serve } from './serve.ts';
import { requireInstallation, type Flags } from './with-site.ts';

export async function work(flags: Flags): Promise<void> {
  const { config } = resolveConfig(flags, process.env);
  const { path } = requireInstallation(config);
  const app = await openApp({ config, log: await createLog(config.logLevel, config.logFormat) });
  // Timers of jobs do not keep the process alive, and there is no server that would.
  const staying = setInterval(() => {}, 60_000);
  await serve(app, async () => {
    await app.work();
    print(flags.json, { data: path }, () => `Working on ${path}. Stop with Ctrl+C.`);
  }).finally(() => clearInterval(staying));
}
