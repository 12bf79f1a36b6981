import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openApp } from '../src/app.ts';
import { resolveConfig } from '../src/installation/config.ts';
import { databaseUrl } from '../test/postgres/databases.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { makeTemplate } from '../test/postgres/template.ts';
import { postgresSchema, schemaFile, sqliteSchema } from '../test/schema/read-schema.ts';

/** Writes docs/schema from new databases that the migrations have created. */
const folder = mkdtempSync(join(tmpdir(), 'tributary-schema-'));
try {
  const { config } = resolveConfig({ data: join(folder, 'data') }, {});
  const app = await openApp({ config, log: pino({ level: 'silent' }) });
  const file = app.folder.databaseFile;
  await app.close();
  writeFileSync(schemaFile('sqlite'), sqliteSchema(file));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const server = await startPrivateServer();
try {
  await makeTemplate(server.url, 'schema');
  writeFileSync(schemaFile('postgres'), await postgresSchema(databaseUrl(server.url, 'schema')));
} finally {
  await server.stop();
}
