import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// node scripts/without-addons.ts         type-checks a copy of src without all add-ons: nothing but the edition knows one
// node scripts/without-addons.ts NAME    deletes addons/NAME in a copy of everything: what is left passes the static checks, and
//                                        the tests that go through all tables, texts, routes, settings, guides and screens

const root = join(import.meta.dirname, '..');
const EDITION = 'src/edition-pro.ts';
/**
 * Without those of formats and of generated files, which the copy writes, and of unused exports: a place for contributions may
 * have only those of this add-on.
 */
const CHECKS = 'lint types types-browser types-web links texts types-sdk';
const TESTS = [
  'src/modules/help/help.test.ts',
  'src/modules/privacy/complete-export.test.ts',
  'src/modules/settings/setting-names.test.ts',
  'test/account-reads.test.ts',
  'test/guides.test.ts',
  'test/named-files.test.ts',
  'test/schema/schema.test.ts',
  'test/session-proofs.test.ts',
  'test/table-keys.test.ts',
  'test/tidy.test.ts',
  'test/web-budgets.test.ts',
];

const folder = mkdtempSync(join(tmpdir(), 'without-addons-'));
const [name] = process.argv.slice(2);
try {
  process.exitCode = name === undefined ? checkWithoutAll() : checkWithout(name);
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs a program in the copy. */
function run(program: string, ...flags: string[]): number {
  const env = { ...process.env, WITHOUT_ADDON: name };
  return spawnSync(program, flags, { cwd: folder, env, stdio: 'inherit' }).status ?? 1;
}

function checkWithoutAll(): number {
  // Tests may use any add-on; the program may not.
  const isProgram = (path: string) => !path.endsWith('.test.ts');
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: isProgram });
  cpSync(join(root, 'texts'), join(folder, 'texts'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json'])
    cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, EDITION),
    [
      "import type { Addon } from './kernel/declare/addon.ts';",
      "import type { Module } from './kernel/declare/module.ts';",
      "import type { Edition } from './kernel/declare/site.ts';",
      'export declare const addons: readonly Addon[];',
      'export declare function loadEdition(edition: Edition): Promise<readonly Module[]>;',
    ].join('\n'),
  );
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
    include: ['src'],
  };
  writeFileSync(join(folder, 'tsconfig.without.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  return run(tsc, '-p', 'tsconfig.without.json', '--checkers', '1');
}

function checkWithout(addon: string): number {
  if (!existsSync(join(root, 'addons', addon))) throw new Error(`There is no addons/${addon}.`);
  copyEverything((path) => !path.startsWith(`addons/${addon}/`));
  removeFromEdition(addon);
  const node = process.execPath;
  const steps = [
    ['scripts/generate.ts'],
    ['scripts/build.js'],
    ['scripts/check.ts', ...CHECKS.split(' ')],
    ['--test', '--test-reporter=dot', ...TESTS],
  ];
  for (const step of steps) {
    const status = run(node, ...step);
    if (status !== 0) return status;
  }
  return 0;
}

function copyEverything(isWanted: (path: string) => boolean): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  for (const path of listed.split('\0').filter((one) => one !== '' && isWanted(one))) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { verbatimSymlinks: true });
  }
  // What compilers remember of the sources is not for the copy.
  mkdirSync(join(folder, 'node_modules'));
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry === '.cache') continue;
    symlinkSync(join(root, 'node_modules', entry), join(folder, 'node_modules', entry));
  }
}

/** The edition is the list of the add-ons that belong to it: two lines for each. */
function removeFromEdition(addon: string): void {
  const camel = addon.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const lines = readFileSync(join(root, EDITION), 'utf8').split('\n');
  const left = lines.filter(
    (line) => !line.includes(`/addons/${addon}/`) && line.trim() !== `${camel},`,
  );
  writeFileSync(join(folder, EDITION), left.join('\n'));
}
