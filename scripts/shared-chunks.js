// Decides which modules of the web app are in one chunk, for the build.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleScreens, reachedFrom, sourceReader } from './source-graph.js';

/** A component that fewer screens of the console use is loaded with them. */
const USED_BY_MIN = 7;

/**
 * Lets every screen of the console use all components that many of them use. Esbuild makes one chunk per set of screens that
 * use a module; without this, each screen would load a dozen small ones.
 */
export function shareParts(root) {
  const read = sourceReader(root);
  const screens = Object.values(consoleScreens(root));
  const main = join(root, 'web/console/main.tsx');
  const frame = reachedFrom(read, main);
  // Screens, and parts that are loaded later, such as the palette.
  const all = reachedFrom(read, main, () => true);
  const entries = new Set([main, ...[...all].flatMap((path) => read(path).later)]);
  const uses = new Map();
  for (const screen of screens) {
    for (const path of reachedFrom(read, screen)) uses.set(path, (uses.get(path) ?? 0) + 1);
  }
  const files = ['web/ui', 'web/frame'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, folder, name))
      .filter((path) => frame.has(path) || (uses.get(path) ?? 0) >= USED_BY_MIN),
  );
  const names = files.map((_, i) => `part${i}`);
  const contents = [
    ...files.map((file, i) => `import * as ${names[i]} from ${JSON.stringify(file)};`),
    // A use that the build cannot drop.
    `Object.freeze([${names.join()}]);`,
  ].join('\n');
  return {
    name: 'share-parts',
    setup(build) {
      build.onResolve({ filter: /^shared-parts$/ }, ({ path }) => ({ path, namespace: path }));
      build.onLoad({ filter: /.*/, namespace: 'shared-parts' }, () => ({
        contents,
        resolveDir: root,
      }));
      build.onLoad({ filter: /[\\/](?:console|frame)[\\/].*\.tsx$/ }, ({ path }) => {
        if (!entries.has(path)) return undefined;
        const source = readFileSync(path, 'utf8');
        return { contents: `import 'shared-parts';\n${source}`, loader: 'tsx' };
      });
    },
  };
}

/**
 * Lets every screen of the portal use all that its frame uses, which is therefore one chunk and not a dozen: one per set
 * of screens that use a module.
 */
export function shareFrame(root) {
  const frame = `import ${JSON.stringify(join(root, 'web/portal/portal.tsx'))};\n`;
  const screens = new Set();
  return {
    name: 'share-frame',
    setup(build) {
      build.onResolve({ filter: /^\..*\.tsx?$/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'dynamic-import') screens.add(join(resolveDir, path));
        return undefined;
      });
      build.onLoad(
        { filter: /[\\/](?:web|addons[\\/][^\\/]+)[\\/](?:portal|frame)[\\/].*\.tsx?$/ },
        ({ path }) => {
          if (!screens.has(path)) return undefined;
          return { contents: frame + readFileSync(path, 'utf8'), loader: 'tsx' };
        },
      );
    },
  };
}
