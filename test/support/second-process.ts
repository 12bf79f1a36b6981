import { after } from 'node:test';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import type { TestApp } from './harness.ts';

/**
 * Opens the installation of a running service a second time, as a command or a second process does. It
 * shares the database and the folder, but no memory.
 */
export async function openSecondProcess(app: TestApp): Promise<Site> {
  const { databaseUrl } = app;
  const { config } = resolveConfig({ data: app.app.folder.path, databaseUrl, tls: 'off' }, {});
  const opening = openApp({ config, log: pino({ level: 'silent' }) });
  after(async () => (await opening).close());
  return (await opening).site;
}
