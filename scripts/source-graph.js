// What the sources of the web app import, for the parts of the build that decide what is loaded when.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { addonFiles, screenOf } from './addon-files.js';

/** Returns what a source contains and imports, and reads each one once. */
export function sourceReader(root) {
  const known = new Map();
  return (path) => {
    if (!known.has(path)) {
      const text = readFileSync(path, 'utf8');
      // Types are not loaded.
      const code = text.replaceAll(/^import type [^;]*;$/gm, '');
      const imported = (pattern) =>
        [...code.matchAll(pattern)].map(([, file]) => join(dirname(path), file));
      const ofAddons = /from 'addons:(\w+)'/.exec(text);
      const place = ofAddons?.[1] === 'portal' ? 'portal/part.tsx' : 'console/part.ts';
      known.set(path, {
        text,
        imports: [
          ...imported(/(?:from|import) '(\.[^']*\.tsx?)'/g),
          ...(ofAddons ? addonFiles(root, place).map((file) => join(root, file)) : []),
        ],
        later: imported(/import\(\s*'(\.[^']*\.tsx?)'/g),
      });
    }
    return known.get(path);
  };
}

/** A source and all that it imports: what it loads immediately, and of what it loads later that for which `isLater` is true. */
export function reachedFrom(read, entry, isLater = () => false) {
  const found = new Set([entry]);
  for (const path of found) {
    const { imports, later } = read(path);
    for (const file of imports) found.add(file);
    for (const file of later) if (isLater(path, file)) found.add(file);
  }
  return found;
}

/** The sources that declare screens of the console. */
export function screenLists(root) {
  const lists = ['web/console/own-screens.ts', ...addonFiles(root, 'console/part.ts')];
  return lists.map((path) => join(root, path));
}

/** The sources of the screens of the console: `orders`, and `orders/detail` for one object. */
export function consoleScreens(root) {
  const read = sourceReader(root);
  const found = screenLists(root).flatMap((list) => read(list).later);
  const named = found.map((path) => [screenOf(relative(root, path))?.name, path]);
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}
