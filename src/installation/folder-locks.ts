import { lockFile } from '../db/files/lock-file.ts';
import type { Site } from '../kernel/declare/site.ts';
import { reasonOf } from '../shared/file-errors.ts';
import { releaseAllLeases } from '../worker/claim.ts';
import { ConfigError } from './config.ts';
import type { DataFolder } from './data-folder.ts';

export interface FolderLock {
  release(): void;
}

/** A database file has one server, because two would not invalidate each other's caches. */
export function lockServer(folder: DataFolder): FolderLock {
  const lock = lockOf(folder.lockFile);
  if (lock) return lock;
  throw new ConfigError(
    `Another server is running on ${folder.path}. Stop it, or choose another --data folder.`,
  );
}

/** One worker process may run beside the server. */
export function lockWorker(folder: DataFolder): FolderLock {
  const lock = lockOf(folder.workerLockFile);
  if (lock) return lock;
  throw new ConfigError(`Another worker is running on ${folder.path}.`);
}

/** Releases the leases of a crashed server, unless a worker is still running. */
export async function releaseForgottenLeases(site: Site, folder: DataFolder): Promise<void> {
  const lock = lockOf(folder.workerLockFile);
  if (!lock) return;
  await releaseAllLeases(site);
  for (const module of site.registry.activeModules()) await module.releaseLeases?.(site);
  lock.release();
}

function lockOf(file: string): FolderLock | undefined {
  try {
    return lockFile(file);
  } catch (error) {
    throw new ConfigError(
      `The lock ${file} cannot be used: ${reasonOf(error)}. Remove the file, and start again.`,
    );
  }
}
