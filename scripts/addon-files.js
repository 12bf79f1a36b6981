// What the build finds in the folders of add-ons: parts of screens, texts and guides. Plain JavaScript, as the build is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The paths from the root of the files that add-ons have at this place of their folders. */
export function addonFiles(root, place) {
  const folder = join(root, 'addons');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => `addons/${name}/${place}`)
    .filter((path) => existsSync(join(root, path)));
}

/**
 * The texts of a language by part: the files of `texts/<language>`, and those of add-ons in `addons/<name>/texts/<language>.json`,
 * which have parts of their own and may add to others.
 */
export function readTexts(root, language) {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const parts = {};
  for (const name of readdirSync(join(root, 'texts', language))) {
    parts[basename(name, '.json')] = read(`texts/${language}/${name}`);
  }
  for (const path of addonFiles(root, `texts/${language}.json`)) {
    for (const [part, texts] of Object.entries(read(path))) {
      parts[part] = { ...parts[part], ...texts };
    }
  }
  return parts;
}

/** Answers `addons:portal` and `addons:console`: the parts that add-ons show inside screens of others. */
export function addonsPlugin(root) {
  const files = { portal: 'portal/part.tsx', console: 'console/part.ts' };
  return {
    name: 'addons',
    setup(build) {
      build.onResolve({ filter: /^addons:/ }, ({ path }) => ({
        path: path.slice('addons:'.length),
        namespace: 'addons',
      }));
      build.onLoad({ filter: /.*/, namespace: 'addons' }, ({ path }) => {
        const found = addonFiles(root, files[path]);
        const imports = found.map((file, i) => `import { part as part${i} } from './${file}';\n`);
        const list = found.map((_, i) => `part${i}`);
        return { contents: `${imports.join('')}export default [${list}];`, resolveDir: root };
      });
    },
  };
}
