// What the sources of the web app import, for the parts of the build that decide what is loaded when.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addonFiles } from './addon-files.js';

/** Returns what a source contains and imports, and reads each one once. */
export function sourceReader(root) {
  const known = new Map();
  return (path) => {
    if (!known.has(path)) {
      const text = readFileSync(path, 'utf8');
      const imported = (pattern) =>
        [...text.matchAll(pattern)].map(([, file]) => join(dirname(path), file));
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

/** A source and all that it imports: what it loads immediately, and what `isLater` says of what it loads later. */
export function reachedFrom(read, entry, isLater = () => false) {
  const found = new Set([entry]);
  for (const path of found) {
    const { imports, later } = read(path);
    for (const file of imports) found.add(file);
    if (isLater(path)) for (const file of later) found.add(file);
  }
  return found;
}

/** The sources of the screens of the console: `orders`, and `orders/detail` for one object. */
export function consoleScreens(root) {
  const folder = join(root, 'web/console');
  const source = readFileSync(join(folder, 'screens.ts'), 'utf8');
  const found = [...source.matchAll(/import\('\.\/(([\w-]+)\/([\w-]+)\.tsx)'\)/g)];
  return Object.fromEntries(
    found.map(([, path, folderName, file]) => [
      file === 'detail' ? `${folderName}/detail` : file,
      join(folder, path),
    ]),
  );
}
