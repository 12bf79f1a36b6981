import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTexts } from './addon-files.js';

/** The parts of the texts that the portal, the console and the public pages share. */
const SHARED = new Set(['accounts', 'common', 'errors', 'program']);

/** What the console and one screen of the portal share. */
const SHARED_WITH_CONSOLE = { calculation: 'portal-orders', said: 'portal-postbacks' };

/**
 * `texts:portal` and `texts:console` have a loader for each language that has a part of this name: all that belongs to one
 * language is one chunk, `texts:portal/de`. Screens have parts of their own, which are not in that chunk: `texts:portal-money`
 * loads `portal-money`; `texts:console-screens` has loaders by screen of the console, each with the parts that the sources of the
 * screen name.
 */
export function textsPlugin(root) {
  const languages = readdirSync(join(root, 'texts'));
  let texts = {};
  const languagesOf = (area) => Object.keys(texts).filter((language) => area in texts[language]);
  const loadersOf = (area, path = area) =>
    `{${languagesOf(area).map((one) => `${one}: () => import('texts:${path}/${one}')`)}}`;
  // Not imported: what several screens name would be many small chunks.
  const exportsOf = (language, isWanted) =>
    Object.keys(texts[language])
      .filter(isWanted)
      .map(
        (part, i) =>
          `const texts${i} = ${JSON.stringify(texts[language][part])};\nexport { texts${i} as '${part}' };`,
      );
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
      return exportsOf(language, (part) => named.has(part) && !frame.has(part));
    }
    const [language] = rest;
    if (language === undefined) return `export default ${loadersOf(area)};`;
    const isScreen = area.includes('-');
    return exportsOf(
      language,
      (part) =>
        part === area ||
        SHARED_WITH_CONSOLE[part] === area ||
        (!isScreen && SHARED.has(part)) ||
        (area === 'console' && frame.has(part)),
    );
  }

  return {
    name: 'texts',
    setup(build) {
      build.onStart(() => {
        texts = Object.fromEntries(languages.map((one) => [one, readTexts(root, one)]));
      });
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

/** The parts of the texts that a source and what it imports name, such as `console-orders` by `t('console-orders.paid')`. */
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
