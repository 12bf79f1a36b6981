import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { query } from '../../src/db/statements/query.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { databaseUrl, onServer } from './databases.ts';

const forgetFolder = query((db) => db.deleteFrom('installation'));

/** Makes the database that those of the tests are copies of. */
export async function makeTemplate(server: string, name: string): Promise<void> {
  await onServer(server, `create database ${name} template template0`);
  await migrated(databaseUrl(server, name), () => {});
}

/** Makes the file that those of the tests are copies of. */
export async function makeTemplateFile(file: string): Promise<void> {
  await migrated('', (made) => copyFileSync(made, file));
}

async function migrated(url: string, use: (file: string) => void): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tributary-template-'));
  try {
    const { config } = resolveConfig({ data, databaseUrl: url }, {});
    const app = await openApp({ config, log: pino({ level: 'silent' }) });
    // It belongs to no data folder yet.
    await app.site.database.transaction((tx) => tx.run(forgetFolder, {}));
    await app.close();
    use(app.folder.databaseFile);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
