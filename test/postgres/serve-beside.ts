import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { resolveConfig, type ConfigName } from '../../src/installation/config.ts';
import { TestApp, TestTime } from '../support/harness.ts';

/** The same data folder and database, served a second time, by the same calendar. */
export async function serveBeside(
  app: TestApp,
  more: Partial<Record<ConfigName, string>> = {},
): Promise<{ app: TestApp; close(): Promise<void> }> {
  const flags = { data: app.app.folder.path, databaseUrl: app.databaseUrl, tls: 'off', port: '0' };
  const { config } = resolveConfig({ ...flags, trustedProxies: '127.0.0.1', ...more }, {});
  const { clock } = app.site;
  const beside = await openApp({ config, log: pino({ level: 'silent' }), clock, runs: 'at-stop' });
  const { server } = await beside.listen();
  return {
    app: new TestApp(beside, server, app, [], new TestTime()),
    async close() {
      server.fastify.server.closeAllConnections();
      await beside.close();
    },
  };
}
