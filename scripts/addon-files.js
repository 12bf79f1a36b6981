// What the build finds in the folders of add-ons: parts of screens, texts and guides. Plain JavaScript, as the build is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';

const { dirname, join } = posix;

/** The paths from the root of the files that add-ons have at this place of their folders. */
export function addonFiles(root, place) {
  const folder = join(root, 'addons');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => `addons/${name}/${place}`)
    .filter((path) => existsSync(join(root, path)));
}

/** The guides of add-ons by the names that they have below /help: `guide.md` has that of the folder. */
export function addonGuides(root) {
  const first = addonFiles(root, 'guide.md').map((path) => [basename(dirname(path)), path]);
  const more = addonFiles(root, 'guides').flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => [basename(name, '.md'), `${folder}/${name}`]),
  );
  return new Map([...first, ...more].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const OF_CORE = /^web\/(console|portal)\/([\w-]+)\/(?:\2(?:-screen)?|(detail))\.tsx$/;
const OF_ADDON = /^addons\/[\w-]+\/(console|portal)\/([\w-]+)-(?:screen|(detail))\.tsx$/;

/**
 * The screen that a source of the web app is, by its path from the root: `name` is `orders`, or `orders/detail` for one object of
 * it. Other sources are undefined.
 */
export function screenOf(path) {
  const [, app, screen, detail] = OF_CORE.exec(path) ?? OF_ADDON.exec(path) ?? [];
  return app && { app, name: detail ? `${screen}/detail` : screen };
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
