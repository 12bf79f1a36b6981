import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Prints how large the program is: lines and files of each room, and the small files that only one other file imports.
 * `npm run size -- REF` prints the lines of the totals at another commit beside those of the working tree.
 */
const root = join(import.meta.dirname, '..');
const SMALL_LINES_MAX = 40;
const ROOMS = /^(?:src\/(?:modules|addons)\/[^/]+|addons\/[^/]+|(?:src|web)\/[^/]+(?=\/)|[^/]+)/;

interface Source {
  path: string;
  text: string;
  lines: number;
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

const isTest = (path: string): boolean => /\.test\.tsx?$|^addons\/[^/]+\/test\//.test(path);

function readSources(): Source[] {
  return git('ls-files', 'src', 'addons', 'web', 'test', 'scripts', 'bench', 'texts')
    .split('\n')
    .filter((path) => /\.(?:tsx?|js|css|json)$/.test(path) && !path.includes('/recorded/'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, lines: text.split('\n').length - 1 };
    });
}

const sum = (sources: readonly Source[]): number =>
  sources.reduce((total, { lines }) => total + lines, 0);

/** Lines of src, addons and web without tests and texts: the figure that each change should lower or justify. */
function programLines(ref: string): number {
  const paths = ['src/*.ts', 'addons/*.ts', 'addons/*.tsx', 'web/*.ts', 'web/*.tsx'];
  const without = [':!*.test.ts', ':!*.test.tsx', ':!addons/*/test/*'];
  const empty = git('hash-object', '-t', 'tree', '/dev/null').trim();
  return git('diff', '--numstat', empty, ref, '--', ...paths, ...without)
    .split('\n')
    .reduce((total, line) => total + (Number.parseInt(line, 10) || 0), 0);
}

function printRooms(sources: readonly Source[]): void {
  const rooms = Map.groupBy(sources, ({ path }) => ROOMS.exec(path)![0]);
  console.log('room'.padEnd(32), ' files   code  tests  files at its top');
  for (const [room, files] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const code = files.filter(({ path }) => !isTest(path));
    const top = files.filter(({ path }) => dirname(path) === room).length;
    const figures = [files.length, sum(code), sum(files) - sum(code), top];
    console.log(room.padEnd(32), figures.map((figure) => String(figure).padStart(6)).join(' '));
  }
}

function printSmallFiles(sources: readonly Source[]): void {
  const code = sources.filter(
    ({ path }) => /^(?:src|addons|web)\/.*\.tsx?$/.test(path) && !isTest(path),
  );
  const importers = Map.groupBy(
    code.flatMap(({ path, text }) =>
      [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => join(dirname(path), target!)),
    ),
    (target) => target,
  );
  const small = code.filter(
    ({ path, lines }) => lines <= SMALL_LINES_MAX && importers.get(path)?.length === 1,
  );
  console.log(`\n${small.length} files of at most ${SMALL_LINES_MAX} lines have one importer.`);
}

const sources = readSources();
printRooms(sources);
printSmallFiles(sources);
const [other] = process.argv.slice(2);
for (const ref of other ? [other, 'HEAD'] : ['HEAD']) {
  console.log(
    `${programLines(ref)} lines of src, addons and web at ${ref}, without tests and texts.`,
  );
}
