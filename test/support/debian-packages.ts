import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed program, or one unpacked from Debian's packages into `node_modules/.cache`. */
export interface Program {
  readonly path: string;
  /** Folders with its libraries, for an unpacked program. */
  readonly libraries: readonly string[];
}

/** Where to find a program that some tests need and `npm ci` does not install. */
export interface ProgramSource {
  /** Names on the PATH, the preferred one first. */
  readonly names: readonly string[];
  /** The Debian package that contains it. */
  readonly debianPackage: string;
  /**
   * How the path of the program ends inside the unpacked package, such as `bin/redis-server`; a pattern
   * where the name has a version.
   */
  readonly pathInPackage: string | RegExp;
}

const cacheRoot = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url));

/** Returns the installed program, or else Debian's, unpacked but not installed. Throws with the reason. */
export function findProgram(source: ProgramSource): Program {
  const installed = source.names
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, name)))
    .find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, libraries: [] };
  const folder = join(cacheRoot, source.debianPackage);
  if (!existsSync(folder)) unpackPackage(source.debianPackage, folder);
  const program = programIn(folder, source.pathInPackage);
  if (!program) throw new Error(`Debian's ${source.debianPackage} has no ${source.pathInPackage}`);
  return program;
}

/** The environment in which an unpacked program finds its libraries. */
export function programEnvironment({ libraries }: Program): NodeJS.ProcessEnv {
  return { ...process.env, ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }) };
}

function programIn(folder: string, ending: string | RegExp): Program | undefined {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const program = files.find((file) =>
    typeof ending === 'string' ? file.endsWith(ending) : ending.test(file),
  );
  if (program === undefined) return undefined;
  // Some packages have theirs in lib and not in usr/lib.
  const libraries = files.filter((file) => /(^|\/)lib\/.*\.so[^/]*$/.test(file)).map(dirname);
  return {
    path: join(folder, program),
    libraries: [...new Set(libraries)].map((name) => join(folder, name)),
  };
}

/** apt stores its lists and downloads in a temporary folder, so it needs no root and installs nothing. */
function unpackPackage(debianPackage: string, folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'tributary-apt-'));
  try {
    for (const name of ['state/lists/partial', 'cache/archives/partial', 'packages', 'unpacked']) {
      mkdirSync(join(work, name), { recursive: true });
    }
    const settings = [
      `Dir::State=${work}/state`,
      `Dir::Cache=${work}/cache`,
      'Dir::State::status=/var/lib/dpkg/status',
      'Debug::NoLocking=1',
      'APT::Sandbox::User=',
    ].flatMap((setting) => ['-o', setting]);
    const packages = join(work, 'packages');
    const apt = (...words: string[]) => output('apt-get', ['-qq', ...settings, ...words], packages);
    apt('update');
    const plan = apt('--simulate', '--no-install-recommends', 'install', debianPackage);
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!);
    apt('download', ...names);
    for (const file of readdirSync(packages)) {
      output('dpkg-deb', ['-x', file, join(work, 'unpacked')], packages);
    }
    mkdirSync(dirname(folder), { recursive: true });
    moveFolder(join(work, 'unpacked'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Moves the folder atomically, so that a concurrent test file never sees half a package. */
function moveFolder(from: string, to: string): void {
  const staging = `${to}.${process.pid}`;
  try {
    renameSync(from, staging);
  } catch {
    // The temporary folder is on another file system.
    output('cp', ['-R', from, staging], tmpdir());
  }
  try {
    renameSync(staging, to);
  } catch (error) {
    // Another test file has unpacked the same package in the meantime.
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

function output(program: string, words: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
}
