import { existsSync } from 'node:fs';
import { openApp } from '../app.ts';
import { resolveConfig, type Config, type ConfigName } from '../installation/config.ts';
import { dataFolder, type DataFolder } from '../installation/data-folder.ts';
import { CommandError } from '../kernel/declare/command.ts';
import type { Site } from '../kernel/declare/site.ts';
import { createLog } from './log.ts';

/** Commands wait longer than requests for a server or another command that is writing. */
const WRITE_WAIT_MAX_MS = 60_000;

export type Flags = Partial<Record<ConfigName, string>> & { json?: boolean };

/** Opens the installation beside a server that may be running, and closes it afterwards. */
export async function withSite<T>(
  flags: Flags,
  work: (site: Site, place: { folder: DataFolder; config: Config }) => Promise<T>,
  options: { create?: boolean; opensMoved?: boolean } = {},
): Promise<T> {
  const { config } = resolveConfig(flags, process.env);
  if (!options.create) requireInstallation(config);
  const app = await openApp({
    config,
    log: await createLog('warn', config.logFormat),
    writeWaitMaxMs: WRITE_WAIT_MAX_MS,
    opensMoved: options.opensMoved,
  });
  try {
    return await work(app.site, { folder: app.folder, config });
  } finally {
    await app.close();
  }
}

export function requireInstallation(config: Config): DataFolder {
  const folder = dataFolder(config.data);
  if (config.databaseUrl !== '' || existsSync(folder.databaseFile)) return folder;
  throw new CommandError(
    'notFound',
    `There is no installation in ${folder.path}. Run "./tributary start" first, or say where it is with --data.`,
  );
}
