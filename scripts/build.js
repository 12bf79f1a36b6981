// npm run build           all of dist/: the program, its threads, the web app, the types of the extension entry
// node scripts/build.js   brings dist/ up to date without types; does nothing while it is fresh; --types adds them
//
// Plain JavaScript, because "npm ci" runs it and may do so on an old Node. A failed build does not stop an installation:
// the program says what is missing.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist, isFresh, stampFile, stampOfSources } from '../bin/entry-point.js';
import {
  billOfMaterials,
  both,
  installedPackages,
  licensesOf,
  packagesOf,
} from './bill-of-materials.js';
import { buildWeb } from './build-web.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const DAY_MS = 86_400_000;

const entryPoints = [
  'src/main.ts',
  'src/extension.ts',
  'src/db/sqlite/backup-thread.ts',
  'src/db/sqlite/checkpoint-thread.ts',
  'src/db/sqlite/quick-check-thread.ts',
  'src/db/sqlite/reader-thread.ts',
  'src/modules/orders/dry-run/dry-run-thread.ts',
  'src/modules/earnings/statement/statement-thread.ts',
];

async function buildProgram(olderThanMs) {
  const { build } = await import('esbuild');
  const stamp = stampOfSources();
  const web = buildWeb({ root, dist, olderThanMs });
  const { outputFiles, metafile } = await build({
    entryPoints,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    // Commands that are loaded on demand stay so, and what several entry points share exists once.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // What npm installs with the package. The others, TypeBox and Kysely, have so many modules that loading them one by
    // one would double the time of a start (docs/decisions/0044-dependencies-that-run.md).
    external: Object.keys(dependencies),
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  mkdirSync(dist, { recursive: true });
  // Chunks have a hash in their names. They are written before the entry points that name them, and the
  // stamp comes last, so a process that starts during the build finds a complete build or runs the sources.
  const isEntry = ({ path }) => !isChunk(basename(path));
  for (const file of outputFiles.toSorted((a, b) => isEntry(a) - isEntry(b))) {
    replaceFile(file.path, file.contents);
  }
  // Read beside the bundle, as beside its source.
  for (const file of readdirSync(join(root, 'addons'), { recursive: true })) {
    if (!file.endsWith('.php') || /[\\/]test[\\/]/.test(file)) continue;
    replaceFile(join(dist, basename(file)), readFileSync(join(root, 'addons', file)));
  }
  const packages = packagesOf(root, [...Object.keys(metafile.inputs), ...(await web)]);
  replaceFile(join(dist, 'LICENSES.txt'), licensesOf(root, packages));
  replaceFile(
    join(dist, 'sbom.cdx.json'),
    billOfMaterials(root, both(installedPackages(root), packages)),
  );
  replaceFile(stampFile, stamp);
  return new Set(outputFiles.map(({ path }) => basename(path)));
}

function isChunk(name) {
  return /-[A-Z0-9]{8}\.js$/.test(name);
}

function replaceFile(file, contents) {
  const written = `${file}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, file);
}

function removeChunks(current, olderThanMs) {
  for (const name of readdirSync(dist).filter(isChunk)) {
    const file = join(dist, name);
    if (!current.has(name) && statSync(file).mtimeMs < Date.now() - olderThanMs) rmSync(file);
  }
}

function buildTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // Four checkers, as usual, each find out much of the same: measured, 15 s of processor time instead of 7.
  const flags = ['-p', 'tsconfig.types.json', '--checkers', '1'];
  execFileSync(process.execPath, [tsc, ...flags], { cwd: root, stdio: 'inherit' });
  // Declarations lose imports of values, and with them the tables that merge into `Tables`.
  const types = join(dist, 'types');
  const tables = readdirSync(types, { recursive: true, encoding: 'utf8' })
    .filter((name) => basename(name) === 'tables.d.ts')
    .map((name) => `import '../${name.replaceAll('\\', '/').replace('.d.ts', '.ts')}';\n`);
  const entry = join(types, 'src/extension.d.ts');
  replaceFile(entry, tables.join('') + readFileSync(entry, 'utf8'));
  // The types name the keys of the English texts.
  for (const area of ['api', 'mails', 'program', 'rewards', 'server']) {
    const file = `texts/en/${area}.json`;
    mkdirSync(join(types, 'texts/en'), { recursive: true });
    replaceFile(join(types, file), readFileSync(join(root, file)));
  }
  // Declarations lose the attribute without which an ECMAScript module cannot import JSON.
  const texts = join(types, 'src/shared/texts.d.ts');
  const declared = readFileSync(texts, 'utf8');
  replaceFile(texts, declared.replaceAll(".json';", ".json' with { type: 'json' };"));
}

const isAll = process.argv.includes('--all');
const hasTypes = isAll || process.argv.includes('--types');
if (isAll) {
  removeChunks(await buildProgram(0), 0);
} else if (!isFresh()) {
  try {
    // A running service may still load chunks of the build that it was started from.
    removeChunks(await buildProgram(DAY_MS), DAY_MS);
  } catch (error) {
    if (hasTypes) throw error;
    console.warn(`dist/ was not built: ${error.message}`);
  }
}
if (hasTypes) {
  rmSync(join(dist, 'types'), { recursive: true, force: true });
  buildTypes();
}
