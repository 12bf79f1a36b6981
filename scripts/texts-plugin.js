import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTexts } from './addon-files.js';
import { consoleScreens, reachedFrom, screenLists, sourceReader } from './source-graph.js';

/** The parts of the texts that the portal, the console and the public pages share. */
const SHARED = new Set(['accounts', 'common', 'errors', 'program']);

/** What the portal loads with one screen. */
const WITH_SCREEN = { calculation: 'portal-orders', 'portal-payout-details': 'portal-money' };

/**
 * `texts:portal` and `texts:console` have a loader for each language: all that their frame names in that language is one chunk,
 * `texts:portal/de`. Screens have texts of their own, which are not in that chunk: `texts:portal-money` loads the part
 * `portal-money`; what a screen of the console names is in a chunk that the texts of the frame load, `texts:console-screens/orders/de`.
 * A chunk has only the texts that its sources name, by the beginnings of their keys.
 */
export function textsPlugin(root) {
  const languages = readdirSync(join(root, 'texts'));
  let texts = {};
  let names;
  const languagesOf = (area) => Object.keys(texts).filter((language) => area in texts[language]);
  const loader = (path) => `() => import('texts:${path}')`;
  /** Not imported, because what several screens name would be many small chunks. */
  const exportsOf = (language, isWanted) =>
    Object.entries(texts[language]).flatMap(([part, all], i) => {
      const own = Object.entries(all).filter(([key]) => isWanted(part, `${part}.${key}`));
      if (own.length === 0) return [];
      const value = JSON.stringify(Object.fromEntries(own));
      return [`const texts${i} = ${value};`, `export { texts${i} as '${part}' };`];
    });

  function contentsOf(path) {
    const [area, ...rest] = path.split('/');
    const language = rest.pop();
    if (language === undefined) {
      const loaders = languagesOf(area).map((one) => `${one}: ${loader(`${area}/${one}`)}`);
      return [`export default {${loaders}};`];
    }
    if (area === 'console-screens') {
      const named = names.screens[rest.join('/')];
      return exportsOf(language, (_, key) => named(key) && !names.console(key));
    }
    if (area === 'console') {
      const loaders = Object.keys(names.screens).map(
        (name) => `'${name}': ${loader(`console-screens/${name}/${language}`)}`,
      );
      return [
        ...exportsOf(language, (_, key) => names.console(key)),
        `export const screens = {${loaders}};`,
      ];
    }
    if (area === 'portal') {
      return exportsOf(
        language,
        (part, key) => (part === area || SHARED.has(part)) && names.portal(key),
      );
    }
    const parts = (part) => part === area || WITH_SCREEN[part] === area;
    return exportsOf(language, (part) => parts(part) || (area === 'public' && SHARED.has(part)));
  }

  return {
    name: 'texts',
    setup(build) {
      build.onStart(() => {
        texts = Object.fromEntries(languages.map((one) => [one, readTexts(root, one)]));
        // English has no names of settings, which the service sends in English.
        const parts = new Set(Object.values(texts).flatMap((own) => Object.keys(own)));
        names = namesOf(root, [...parts]);
      });
      build.onResolve({ filter: /^texts:/ }, ({ path }) => ({
        path: path.slice('texts:'.length),
        namespace: 'texts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => ({
        contents: contentsOf(path).join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/**
 * Which keys of texts the portal names, the frame of the console, and each of its screens, by their beginnings: of
 * `t('orders.paid')` that is `orders.paid`, with which its plural forms begin too; of a key with a hole what stands before it.
 */
function namesOf(root, parts) {
  const read = sourceReader(root);
  const beginning = new RegExp(`['"\`]((?:${parts.join('|')})\\.[\\w.-]*)`, 'g');
  const lists = new Set(screenLists(root));
  const screens = consoleScreens(root);
  const isScreen = new Set(Object.values(screens));
  // What the parts of add-ons load later belongs to the screens that show it, unless it is a screen of its own.
  const isShown = (path, file) => !lists.has(path) || !isScreen.has(file);
  const namedFrom = (entry, isLater = isShown) => {
    const named = [...reachedFrom(read, entry, isLater)].flatMap((path) =>
      [...read(path).text.matchAll(beginning)].map(([, key]) => key),
    );
    return isBegunBy(new Set(named));
  };
  const frame = join(root, 'web/console/main.tsx');
  return {
    portal: namedFrom(join(root, 'web/portal/main.tsx')),
    console: namedFrom(frame, (path) => !lists.has(path)),
    screens: Object.fromEntries(
      Object.entries(screens).map(([name, path]) => [name, namedFrom(path)]),
    ),
  };
}

/** Whether a key begins with one of these. Answers once for each, because five languages have it. */
function isBegunBy(beginnings) {
  const answers = new Map();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = [...beginnings].some((one) => key.startsWith(one));
    answers.set(key, answer);
    return answer;
  };
}
