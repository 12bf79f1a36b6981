import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { databaseUrl, onServer } from './databases.ts';

/** Makes the database that those of the tests are copies of. */
export async function makeTemplate(server: string, name: string): Promise<void> {
  await onServer(server, `create database ${name} template template0`);
  const data = mkdtempSync(join(tmpdir(), 'tributary-template-'));
  try {
    const { config } = resolveConfig({ data, databaseUrl: databaseUrl(server, name) }, {});
    const app = await openApp({ config, log: pino({ level: 'silent' }) });
    await app.close();
    // It belongs to no data folder yet.
    await onServer(databaseUrl(server, name), 'delete from installation');
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
