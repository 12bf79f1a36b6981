// node scripts/tools.js             installs what tests and checks need (test/tools), unless it is there
// node scripts/tools.js oxlint …    the same, then runs one of these programs
//
// "npm ci" leaves these packages out, because running the program needs none of them: PostgreSQL, the driver of the
// browser, the lint. They are linked into node_modules, where imports and the compiler look for them.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { installFrom, root } from './install.js';

const from = join(root, 'test/tools');
const into = join(root, 'node_modules/.tools');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { dependencies, optionalDependencies } = read(join(from, 'package.json'));
/** PostgreSQL is a package for each platform. */
const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const wanted = [
  ...Object.entries(dependencies),
  ...Object.entries(optionalDependencies).filter(([name]) => name.endsWith(`/${system}`)),
];
const linkOf = (name) => join(root, 'node_modules', name);

export function ensureTools() {
  const missing = wanted.filter(([name, version]) => versionOf(name) !== version);
  if (missing.length === 0) return;
  console.error('Installing the tools of tests and checks, once …');
  installFrom(from, into);
  for (const [name] of missing) link(name);
}

function versionOf(name) {
  const file = join(linkOf(name), 'package.json');
  return existsSync(file) ? read(file).version : undefined;
}

function link(name) {
  const path = linkOf(name);
  if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(into, 'node_modules', name), path, 'junction');
  for (const [program, file] of Object.entries(programsOf(name))) {
    // Programs look for each other there, too.
    const bin = join(root, 'node_modules/.bin', program);
    rmSync(bin, { force: true });
    if (process.platform !== 'win32') symlinkSync(join(path, file), bin);
    else writeFileSync(`${bin}.cmd`, `@node "${join(path, file)}" %*\r\n`);
  }
}

/** The programs of a package, each with its file. */
function programsOf(name) {
  const { bin = {} } = read(join(linkOf(name), 'package.json'));
  return typeof bin === 'string' ? { [name]: bin } : bin;
}

if (import.meta.main) {
  ensureTools();
  const [name, ...args] = process.argv.slice(2);
  if (name) {
    const { status } = spawnSync(
      process.execPath,
      [join(linkOf(name), programsOf(name)[name]), ...args],
      {
        stdio: 'inherit',
      },
    );
    process.exitCode = status ?? 1;
  }
}
