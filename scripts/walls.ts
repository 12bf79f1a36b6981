import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// node scripts/walls.ts          how well features keep to their folders: three figures that should fall
// node scripts/walls.ts NAME     the files outside its folder that name this add-on

const root = join(import.meta.dirname, '..');
const IDENTICAL_LINES = 6;
const ADDONS = ['addons'];

interface Source {
  readonly path: string;
  readonly text: string;
}

/** What names every feature by its nature: the edition, the history, and what a command writes. */
const NAMES_ALL =
  /^(?:src\/edition-pro\.ts|CHANGELOG\.md|docs\/(?:openapi|schema|decisions)\/|docs\/(?:errors|routes|settings|webhooks|api)\.md|sdk\/src\/generated\/|src\/db\/sqlite\/planner-statistics\.json|test\/access-list\.txt|test\/ceilings\.ts|scripts\/slow-tests\.json)/;
const TEXT = /\.(?:tsx?|js|json|jsonc|css|md|yml)$/;

const isTest = (path: string) => /^test\/|\.test\.tsx?$|\/test\//.test(path);

function readSources(): Source[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return listed
    .split('\n')
    .filter(
      (path) => TEXT.test(path) && !path.includes('/recorded/') && existsSync(join(root, path)),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The folders of all add-ons by their names. */
export function addonFolders(): Map<string, string> {
  return new Map(
    ADDONS.filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) =>
        readdirSync(join(root, folder)).map((name): [string, string] => [
          name,
          `${folder}/${name}`,
        ]),
      )
      .filter(([, folder]) => existsSync(join(root, folder, 'addon.ts')))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * A name counts where it stands as an identifier of the feature, not as a word of a sentence: quoted, in a path, as a part of
 * the texts, as the key of a list, or before the rest of the name of a table or setting.
 */
function namesAddon(name: string): RegExp {
  const [first, ...rest] = name.split('-');
  const camel = first + rest.map((part) => part[0]!.toUpperCase() + part.slice(1)).join('');
  const either = [...new Set([name, name.replaceAll('-', '_'), camel])].join('|');
  return new RegExp(
    `(?:['"\`/]|\\b(?:console|portal)-)(?:${either})\\b|\\b(?:${either})(?:_\\w+)?['":.]|/(?:${either})[./]`,
  );
}

function filesThatName(name: string, folder: string, sources: readonly Source[]): string[] {
  const pattern = namesAddon(name);
  return sources
    .filter(({ path }) => !path.startsWith(`${folder}/`) && !NAMES_ALL.test(path))
    .filter(({ path, text }) => pattern.test(`/${path}`) || pattern.test(text))
    .map(({ path }) => path);
}

/** Pairs of places with as many identical lines, each as long as it goes. Blank lines and imports do not count. */
function countIdentical(sources: readonly Source[]): number {
  const known = new Map<string, [file: number, line: number][]>();
  const files = sources.map(({ text }) =>
    text
      .replaceAll(/^(?:import|export) [^;]*? from '[^']*'(?: with \{[^}]*\})?;$/gms, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
  const pairs = new Set<string>();
  let count = 0;
  for (const [file, lines] of files.entries()) {
    for (let line = 0; line + IDENTICAL_LINES <= lines.length; line += 1) {
      const block = lines.slice(line, line + IDENTICAL_LINES).join('\n');
      const before = known.get(block) ?? [];
      for (const [otherFile, otherLine] of before) {
        if (otherFile === file && line - otherLine < IDENTICAL_LINES) continue;
        // A longer block is one pair: its first lines were found one line before.
        if (!pairs.has([otherFile, otherLine - 1, file, line - 1].join())) count += 1;
        pairs.add([otherFile, otherLine, file, line].join());
      }
      known.set(block, [...before, [file, line]]);
    }
  }
  return count;
}

const linesOf = (sources: readonly Source[]) =>
  sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

function print(): void {
  const sources = readSources();
  const [asked] = process.argv.slice(2);
  const folders = addonFolders();
  if (asked !== undefined) {
    const folder = folders.get(asked);
    if (folder === undefined) throw new Error(`There is no add-on ${asked}.`);
    console.log(filesThatName(asked, folder, sources).join('\n'));
    return;
  }
  console.log('Files outside its folder that name an add-on:\n');
  console.log('add-on'.padEnd(20), 'program  tests');
  for (const [name, folder] of folders) {
    const outside = filesThatName(name, folder, sources);
    const tests = outside.filter(isTest).length;
    const figures = [outside.length - tests, tests];
    console.log(name.padEnd(20), figures.map((one) => String(one).padStart(6)).join(' '));
  }
  const program = sources.filter(
    ({ path }) => /^(?:src|web|addons)\/.*\.tsx?$/.test(path) && !isTest(path),
  );
  console.log(`\n${linesOf(program)} lines of src, web and addons, without tests and texts.`);
  const code = sources.filter(({ path }) => /^(?:src|web|addons)\/.*\.tsx?$/.test(path));
  console.log(`${countIdentical(code)} pairs of ${IDENTICAL_LINES} identical lines, with tests.`);
}

if (import.meta.main) print();
