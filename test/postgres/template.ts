import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openApp } from '../../src/app.ts';
import { query } from '../../src/db/statements/query.ts';
import { loadCertificate } from '../../src/installation/certificate.ts';
import { resolveConfig } from '../../src/installation/config.ts';
import { dataFolder, loadKeyring, prepareFolder } from '../../src/installation/data-folder.ts';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { createKey } from '../../src/modules/keys/index.ts';
import { createUser } from '../../src/modules/users/index.ts';
import type { Installed } from '../process/installed.ts';
import { databaseUrl, onServer } from './databases.ts';

const forgetFolder = query((db) => db.deleteFrom('installation'));

/** Makes the database that those of the tests are copies of. */
export async function makeTemplate(server: string, name: string): Promise<void> {
  await onServer(server, `create database ${name} template template0`);
  await migrated(databaseUrl(server, name), () => {});
}

/** Makes the installation that those of tests with processes are copies of, on a copy of such a database or file. */
export async function makeInstallation(
  data: string,
  from: { file: string } | { server: string; template: string; name: string },
): Promise<Installed> {
  const folder = dataFolder(data);
  prepareFolder(folder);
  loadKeyring(folder);
  if ('file' in from) copyFileSync(from.file, folder.databaseFile);
  else await onServer(from.server, `create database ${from.name} template ${from.template}`);
  const url = 'file' in from ? '' : databaseUrl(from.server, from.name);
  const { config } = resolveConfig({ data, databaseUrl: url }, {});
  // A first start would make it: a sixth of its processor time.
  await loadCertificate(config, folder);
  const app = await openApp({ config, log: pino({ level: 'silent' }) });
  const { site } = app;
  const user = { login: 'admin', email: 'admin@test.example', passwordHash: null };
  const { id } = await site.database.transaction((tx) =>
    createUser(tx, site, { ...user, role: 'administrator' }),
  );
  const scopes = 'read,write,manage';
  const { token } = await invoke<{ token: string }>(site, createKey, { user_id: id, scopes });
  await app.close();
  return { data, key: token, template: 'file' in from ? undefined : from.name };
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
