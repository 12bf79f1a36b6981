// Chooses what bin/tributary.js runs: the build in dist/, or the sources of a checkout.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src');

export const dist = join(root, 'dist');
/** The state of the sources that dist/ was built from. */
export const stampFile = join(dist, 'sources.stamp');

/** An installed package has only dist/. In a checkout, dist/ counts as long as the sources are those it was built from. */
export function entryPoint() {
  if (!existsSync(sources) || isFresh()) return join(dist, 'main.js');
  if (existsSync(join(root, 'node_modules/esbuild'))) return join(sources, 'main.ts');
  throw new Error(
    'This checkout lacks the packages that build the program. Run "npm ci" without --omit=dev, or install the package: ' +
      'docs/operating.md, "From a package".',
  );
}

export function isFresh() {
  try {
    return readFileSync(stampFile, 'utf8') === stampOfSources();
  } catch {
    return false;
  }
}

/** Changes with every file that the build reads: its path, size and time of change. Takes 5 ms. */
export function stampOfSources() {
  const folders = ['src', 'addons', 'texts', 'web', 'sdk/src', 'docs/guides', 'docs/api'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|css|json|md|svg|php)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  const hash = createHash('sha256');
  for (const file of [
    ...files.sort(),
    'docs/api.md',
    'docs/webhooks.md',
    'package.json',
    'package-lock.json',
    'scripts/addon-files.js',
    'scripts/build.js',
    'scripts/bill-of-materials.js',
    'scripts/build-help.js',
    'scripts/build-web.js',
    'scripts/shared-chunks.js',
    'scripts/source-graph.js',
    'scripts/texts-plugin.js',
  ]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
