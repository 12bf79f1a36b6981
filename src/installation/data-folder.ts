import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf } from '../shared/file-errors.ts';
import { Keyring } from '../shared/secrets.ts';
import { ConfigError } from './config.ts';
import { refuseOpenToOthers, refuseUnwritable } from './folder-permissions.ts';

const SECRET_BYTES_MIN = 32;

/** The data folder of an installation: database, secret, certificate. */
export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  readonly lockFile: string;
  readonly workerLockFile: string;
  readonly secretFile: string;
  readonly certificateFile: string;
  /** Holds the address of the running server. */
  readonly addressFile: string;
  readonly certificateKeyFile: string;
  /** Holds uploaded files. */
  readonly filesFolder: string;
}

export function dataFolder(path: string): DataFolder {
  const folder = resolve(path);
  return {
    path: folder,
    databaseFile: join(folder, 'tributary.db'),
    lockFile: join(folder, 'server.lock'),
    workerLockFile: join(folder, 'worker.lock'),
    secretFile: join(folder, 'secret.key'),
    certificateFile: join(folder, 'tls-cert.pem'),
    addressFile: join(folder, 'server.url'),
    certificateKeyFile: join(folder, 'tls-key.pem'),
    filesFolder: join(folder, 'files'),
  };
}

/** Creates the folder for its owner alone. An existing folder must be writable, and closed to other users. */
export function prepareFolder(folder: DataFolder): void {
  if (existsSync(folder.path)) {
    if (statSync(folder.path).isDirectory()) {
      refuseOpenToOthers(folder);
      refuseUnwritable(folder);
      return;
    }
    throw new ConfigError(`${folder.path} is not a folder. Choose another with --data.`);
  }
  try {
    mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    chmodSync(folder.path, 0o700);
  } catch (error) {
    throw new ConfigError(
      `The data folder ${folder.path} cannot be made: ${reasonOf(error)}. ` +
        'Choose another with --data or TRIBUTARY_DATA.',
    );
  }
}

/** The master secret, created by the first start. Without it every key and password is invalid. */
export function loadKeyring(folder: DataFolder): Keyring {
  if (!existsSync(folder.secretFile)) {
    if (existsSync(folder.databaseFile)) {
      throw new ConfigError(
        `${folder.secretFile} is missing, but there is a database. Without the secret no key, ` +
          'password or session of it is valid. Put the file back from the backup.',
      );
    }
    try {
      writeSecretOnce(folder.secretFile, `${randomBytes(48).toString('base64')}\n`);
    } catch (error) {
      throw new ConfigError(
        `${folder.secretFile} cannot be written: ${reasonOf(error)}. Choose another folder with --data.`,
      );
    }
  }
  return keyringOf(folder.secretFile);
}

/** Reads the master secret from a file. */
export function keyringOf(file: string): Keyring {
  const master = Buffer.from(readSecret(file).trim(), 'base64');
  if (master.length < SECRET_BYTES_MIN) {
    throw new ConfigError(
      `${file} is damaged. Put the file back from the backup: no key, password or ` +
        'session is valid without it.',
    );
  }
  return new Keyring(master);
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read: ${reasonOf(error)}. It must belong to the user that runs the service.`,
    );
  }
}

/**
 * Creates the file completely or not at all, and only if it does not exist: instances that start together
 * may share the folder, and all read the file of the first one.
 */
function writeSecretOnce(file: string, content: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeSecretFile(draft, content);
  try {
    linkSync(draft, file);
  } catch (error) {
    // The file system has no hard links: not atomic, but an existing file is not overwritten.
    if (!isThere(error)) copyFileSync(draft, file, constants.COPYFILE_EXCL);
  } finally {
    rmSync(draft);
  }
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** Creates the file with permissions for its owner alone. It is on the disk when it is renamed. */
export function writeSecretFile(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600, flag: 'wx', flush: true });
}
