import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '16m';
const CHUNK = Buffer.alloc(64 * 1024);

/** Mounts a small file system over the folder, copies the content into it and executes the command. */
const ON_SMALL_DISK = `
  folder=$1; shift
  copy=$(mktemp -d) && cp -a "$folder/." "$copy" &&
  mount -t tmpfs -o size=${SIZE},mode=700 small "$folder" &&
  cp -a "$copy/." "$folder" && rm -rf "$copy" && exec "$@"`;

/** The prefix of a command that puts this folder on a small disk, visible to that process only. */
export function onSmallDisk(folder: string): string[] {
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', ON_SMALL_DISK, 'sh', folder];
}

/** Why no small disk is possible here; undefined if this user may mount one. */
export function noSmallDisk(): string | undefined {
  const { status } = spawnSync('unshare', [
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs -o size=1m small /mnt',
  ]);
  return status === 0 ? undefined : 'this system lets no process mount a file system of its own';
}

/** The small disk of a running process, seen from outside. */
export class SmallDisk {
  readonly #root: string;
  readonly #filler: string;

  constructor(pid: number, folder: string) {
    this.#root = `/proc/${pid}/root`;
    this.#filler = this.pathOf(join(folder, 'filler'));
  }

  /** The path, outside the process, of a file that the process has at this path. */
  pathOf(path: string): string {
    return join(this.#root, path);
  }

  /** Writes until there is no space left. */
  fill(): void {
    const file = openSync(this.#filler, 'a');
    try {
      for (;;) writeSync(file, CHUNK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler);
  }
}
