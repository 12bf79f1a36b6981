// Two libraries come as 940 files, which take 0.4 s and 30 MB to load. "npm ci" makes a few files of
// them (scripts/bundle-libraries.js), which are loaded instead where they are of the versions installed.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const LIBRARIES = ['typebox', 'kysely'];
const at = (path) => new URL(`../node_modules/${path}`, import.meta.url);
const bundle = (path) => at(`.cache/libraries/${path}`);

export const bundleFolder = fileURLToPath(bundle(''));

export function installedVersions() {
  return Object.fromEntries(
    LIBRARIES.map((name) => [
      name,
      JSON.parse(readFileSync(at(`${name}/package.json`), 'utf8')).version,
    ]),
  );
}

/** From now on an import of one of them by this project is answered with the bundled file. */
export function useBundledLibraries() {
  const files = bundledFiles();
  if (!files || !module.registerHooks) return;
  module.registerHooks({
    resolve(specifier, context, next) {
      const file = files[specifier];
      // What other packages bring for themselves may be of another version.
      if (file === undefined || context.parentURL?.includes('/node_modules/')) {
        return next(specifier, context);
      }
      return { url: bundle(file).href, format: 'module', shortCircuit: true };
    },
  });
}

/** By what is imported; undefined where they are not there, or of other versions. */
export function bundledFiles() {
  try {
    const { versions, files } = JSON.parse(readFileSync(bundle('contents.json'), 'utf8'));
    return JSON.stringify(versions) === JSON.stringify(installedVersions()) ? files : undefined;
  } catch {
    return undefined;
  }
}
