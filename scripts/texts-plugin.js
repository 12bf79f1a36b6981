import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The files of `texts/<language>` that the portal, the console and the public pages share. */
const SHARED = new Set(['accounts', 'common', 'errors', 'program']);

/** What the console and one screen of the portal share. */
const SHARED_WITH_CONSOLE = { calculation: 'portal-orders', said: 'portal-postbacks' };

/**
 * `texts:portal` and `texts:console` have a loader for each language that has a file of this name: all files of one
 * language are one chunk, `texts:portal/de`. Screens have files of their own, which are not part of that chunk:
 * `texts:portal-money` loads `portal-money.json`; `texts:console-screens` has loaders by screen of the console, each with
 * the files that the sources of the screen name.
 */
export function textsPlugin(root) {
  const folder = join(root, 'texts');
  const filesOf = (language) =>
    readdirSync(join(folder, language)).map((name) => basename(name, '.json'));
  const languagesOf = (area) =>
    readdirSync(folder).filter((language) => filesOf(language).includes(area));
  const loadersOf = (area, path = area) =>
    `{${languagesOf(area).map((one) => `${one}: () => import('texts:${path}/${one}')`)}}`;
  const exportOf = (language) => (file) =>
    `export { default as '${file}' } from './texts/${language}/${file}.json';`;
  const screens = screensOf(root);
  const frame = textsNamedIn(join(root, 'web/console/main.tsx'), (source) =>
    source.replaceAll(/import\([^)]*\)/g, ''),
  );

  function contentsOf(path) {
    const [area, ...rest] = path.split('/');
    if (area === 'console-screens') {
      const language = rest.pop();
      if (language === undefined) {
        const loaders = Object.keys(screens).map(
          (name) => `'${name}': ${loadersOf('console', `${area}/${name}`)}`,
        );
        return `export default {${loaders}};`;
      }
      const named = textsNamedIn(screens[rest.join('/')]);
      // Not imported: what several screens name would be many small chunks.
      return filesOf(language)
        .filter((file) => named.has(file) && !frame.has(file))
        .map((file, i) => {
          const texts = readFileSync(join(folder, language, `${file}.json`), 'utf8');
          return `const texts${i} = ${texts};\nexport { texts${i} as '${file}' };`;
        });
    }
    const [language] = rest;
    if (language === undefined) return `export default ${loadersOf(area)};`;
    const isScreen = area.includes('-');
    return filesOf(language)
      .filter(
        (file) =>
          file === area ||
          SHARED_WITH_CONSOLE[file] === area ||
          (!isScreen && SHARED.has(file)) ||
          (area === 'console' && frame.has(file)),
      )
      .map(exportOf(language));
  }

  return {
    name: 'texts',
    setup(build) {
      build.onResolve({ filter: /^texts:/ }, ({ path }) => ({
        path: path.slice('texts:'.length),
        namespace: 'texts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => ({
        contents: [contentsOf(path)].flat().join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** The sources of the screens of the console: `orders`, and `orders/detail` for one object. */
function screensOf(root) {
  const folder = join(root, 'web/console');
  const source = readFileSync(join(folder, 'screens.ts'), 'utf8');
  const found = [...source.matchAll(/import\('\.\/((?:[\w-]+)\/([\w-]+)\.tsx)'\)/g)];
  return Object.fromEntries(
    found.map(([, path, file]) => [
      file === 'detail' ? path.slice(0, -4) : file,
      join(folder, path),
    ]),
  );
}

/** The files of texts that a source and what it imports name, such as `console-orders` by `t('console-orders.paid')`. */
function textsNamedIn(entry, relevant = (source) => source) {
  const named = new Set();
  const seen = new Set([entry]);
  for (const path of seen) {
    const source = relevant(readFileSync(path, 'utf8'));
    for (const [, name] of source.matchAll(/['"`]((?:console|calculation)[\w-]*)\./g))
      named.add(name);
    if (/(?<!function )\bsaid[()]/.test(source)) named.add('said');
    for (const [, file] of source.matchAll(/(?:from|import)\s*\(?'(\.[^']*\.tsx?)'/g)) {
      seen.add(join(dirname(path), file));
    }
  }
  return named;
}
