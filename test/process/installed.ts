import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { onServer } from '../postgres/databases.ts';

/** How `scripts/test.ts` passes an installation that tests copy; unset if a test file runs by itself. */
export const INSTALLED_VARIABLE = 'TEST_INSTALLED';

/** An installation with an administrator `admin`, and a key of it that may do everything. */
export interface Installed {
  readonly data: string;
  readonly key: string;
  /** Its database on a server; undefined on SQLite. */
  readonly template?: string | undefined;
}

/** Undefined outside a run of `scripts/test.ts`. */
export function installedBefore(): Installed | undefined {
  const passed = process.env[INSTALLED_VARIABLE];
  return passed === undefined ? undefined : (JSON.parse(passed) as Installed);
}

/** Copies the files of an installation into a new data folder. */
export function copyFolder({ data: from }: Installed, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o700);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/** Stores settings in the database of a data folder, or in this one on a server, that no process has opened. */
export async function storeSettings(
  data: string,
  url: string | undefined,
  settings: Record<string, unknown>,
): Promise<void> {
  const rows = Object.entries(settings).map(
    ([key, value], i) => `('${key}', '${JSON.stringify(value)}', 0, ${i + 1})`,
  );
  if (rows.length === 0) return;
  const insert = `insert into settings (key, value, updated_at, version) values ${rows.join(', ')}`;
  if (url !== undefined) return void (await onServer(url, insert));
  const db = new DatabaseSync(dataFolder(data).databaseFile);
  db.exec(insert);
  db.close();
}
