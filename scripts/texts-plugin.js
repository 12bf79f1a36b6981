import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The files of `texts/<language>` that the portal, the console and the public pages share. */
const SHARED = new Set(['accounts', 'common', 'errors', 'program']);

/**
 * `texts:portal` and `texts:console` have a loader for each language that has a file of this name: all files of one
 * language are one chunk, `texts:portal/de`. The screens of the console have files of their own, `console-orders.json`,
 * which are part of that chunk. Those of the portal, `portal-money.json`, are not: `texts:portal-money` loads one.
 */
export function textsPlugin(root) {
  const folder = join(root, 'texts');
  const filesOf = (language) =>
    readdirSync(join(folder, language)).map((name) => basename(name, '.json'));
  return {
    name: 'texts',
    setup(build) {
      build.onResolve({ filter: /^texts:/ }, ({ path }) => ({
        path: path.slice('texts:'.length),
        namespace: 'texts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => {
        const [area, language] = path.split('/');
        const isScreen = area.includes('-');
        const ofArea = (file) =>
          file === area || (area === 'console' && file.startsWith('console-'));
        const contents = language
          ? filesOf(language)
              .filter((file) => ofArea(file) || (!isScreen && SHARED.has(file)))
              .map(
                (file) =>
                  `export { default as '${file}' } from './texts/${language}/${file}.json';`,
              )
          : [
              'export default {',
              ...readdirSync(folder)
                .filter((one) => filesOf(one).some(ofArea))
                .map((one) => `${one}: () => import('texts:${area}/${one}'),`),
              '};',
            ];
        return { contents: contents.join('\n'), resolveDir: root };
      });
    },
  };
}
