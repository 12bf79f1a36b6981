// Runs after "npm ci". Plain JavaScript, as the Node that runs it may be an old one; without the
// bundle the service does the same and starts slower, so nothing here stops an installation.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledFiles, bundleFolder, installedVersions } from '../bin/libraries.js';

try {
  // A running service may be reading the bundle that exists.
  if (!bundledFiles()) await bundleLibraries();
} catch (error) {
  console.warn(`The libraries were not bundled, so the service starts slower: ${error.message}`);
}

async function bundleLibraries() {
  const { build } = await import('esbuild');
  const versions = installedVersions();
  const files = Object.fromEntries(
    Object.keys(versions)
      .flatMap(entryPointsOf)
      .map((name) => [name, `${name.replaceAll('/', '-')}.js`]),
  );
  const making = `${bundleFolder.replace(/[/\\]$/, '')}-${process.pid}`;
  mkdirSync(making, { recursive: true });
  await build({
    entryPoints: Object.entries(files).map(([name, file]) => ({
      in: name,
      out: file.slice(0, -3),
    })),
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    // What several of them share is loaded once, and there is one of each.
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: making,
    logLevel: 'silent',
  });
  writeFileSync(`${making}/package.json`, '{ "type": "module" }\n');
  writeFileSync(`${making}/contents.json`, JSON.stringify({ versions, files }));
  // Whoever starts meanwhile finds all of it or nothing.
  rmSync(bundleFolder, { recursive: true, force: true });
  renameSync(making, bundleFolder);
}

/** Everything the library lets be imported. */
function entryPointsOf(library) {
  const manifest = new URL(`../node_modules/${library}/package.json`, import.meta.url);
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys(exports).map((path) => library + path.slice(1));
}
