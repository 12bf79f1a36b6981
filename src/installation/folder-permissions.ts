import { accessSync, constants, existsSync, statSync, type Stats } from 'node:fs';
import { reasonOf } from '../shared/file-errors.ts';
import { ConfigError } from './config.ts';

const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
/** Secrets mounted into a container are owned by root and readable by a group. */
const OPEN_BEYOND_GROUP_READ = 0o037;

/** The part of a data folder whose permissions matter. */
interface CheckedFolder {
  readonly path: string;
  readonly databaseFile: string;
  readonly secretFile: string;
  readonly certificateKeyFile: string;
}

/**
 * Refuses a data folder in which other users of the machine could replace the secret or the database, or read a
 * key. Files on Windows have no such modes.
 */
export function refuseOpenToOthers(folder: CheckedFolder): void {
  if (process.platform === 'win32') return;
  if (hasMode(folder.path, () => WRITABLE_BY_OTHERS)) {
    throw new ConfigError(
      `Other users may write to the data folder ${folder.path}, and could replace what is in it. ` +
        `Close it with: chmod go-w ${folder.path}`,
    );
  }
  for (const file of [folder.secretFile, folder.certificateKeyFile]) {
    if (!hasMode(file, forbiddenInSecret)) continue;
    throw new ConfigError(
      `Other users may read or write ${file}, which is secret. Close it with: chmod 600 ${file}`,
    );
  }
  for (const file of databaseFiles(folder)) {
    if (!hasMode(file, () => WRITABLE_BY_OTHERS)) continue;
    throw new ConfigError(`Other users may write to ${file}. Close it with: chmod 600 ${file}`);
  }
}

/** Refuses a folder or a database file that this user may not write to, although it can be opened for reading. */
export function refuseUnwritable(folder: CheckedFolder): void {
  for (const path of [folder.path, ...databaseFiles(folder)]) {
    if (!existsSync(path)) continue;
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new ConfigError(
        `${path} cannot be read and written: ${reasonOf(error)}. Let the user that runs the service own the ` +
          `data folder (chown -R USER ${folder.path}), or choose another with --data.`,
      );
    }
  }
}

const databaseFiles = ({ databaseFile }: CheckedFolder) => [
  databaseFile,
  `${databaseFile}-wal`,
  `${databaseFile}-shm`,
];

/** Whether a file exists and has any of these mode bits. */
function hasMode(path: string, bitsFor: (file: Stats) => number): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  return file !== undefined && (file.mode & bitsFor(file)) !== 0;
}

function forbiddenInSecret({ uid }: Stats): number {
  const isMounted = uid === 0 && process.getuid?.() !== 0;
  return isMounted ? OPEN_BEYOND_GROUP_READ : OPEN_TO_OTHERS;
}
