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
import { ConfigError } from './config.ts';
import { reasonOf, refuseOpenToOthers, refuseUnwritable } from './folder-permissions.ts';
import { Keyring } from '../shared/secrets.ts';

const SECRET_BYTES_MIN = 32;

/** The folder that is the whole installation: database, secret, certificate. */
export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  readonly lockFile: string;
  readonly workerLockFile: string;
  readonly secretFile: string;
  /** Which modules have bound their encrypted values to rows. */
  readonly boundFile: string;
  readonly certificateFile: string;
  /** Where the running server is reached. */
  readonly addressFile: string;
  readonly certificateKeyFile: string;
}

export function dataFolder(path: string): DataFolder {
  const folder = resolve(path);
  return {
    path: folder,
    databaseFile: join(folder, 'tributary.db'),
    lockFile: join(folder, 'server.lock'),
    workerLockFile: join(folder, 'worker.lock'),
    secretFile: join(folder, 'secret.key'),
    boundFile: join(folder, 'secret.bound'),
    certificateFile: join(folder, 'tls-cert.pem'),
    addressFile: join(folder, 'server.url'),
    certificateKeyFile: join(folder, 'tls-key.pem'),
  };
}

/** Makes the folder, for its owner alone. One that exists must be ours to write, and closed to others. */
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

/** The master secret, made with the first start. Losing it would void every key and password. */
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

/** The keyring of a file that holds a master secret. */
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
 * By whoever is first, and whole from its first moment on: instances that start together may share
 * the folder, and each reads what the first has written.
 */
function writeSecretOnce(file: string, content: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeSecretFile(draft, content);
  try {
    linkSync(draft, file);
  } catch (error) {
    // A file system without links: not in one step, but never over what is there.
    if (!isThere(error)) copyFileSync(draft, file, constants.COPYFILE_EXCL);
  } finally {
    rmSync(draft);
  }
}

function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** For the owner's eyes only, from its first byte on. */
export function writeSecretFile(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
}
