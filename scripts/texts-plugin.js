import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of `texts/<language>` that the portal and the public pages share. */
const SHARED = ['accounts', 'common', 'errors', 'program'];

/**
 * `texts:portal` has a loader for each folder of texts/: the files of one language are one chunk, `texts:portal/de`.
 */
export function textsPlugin(root) {
  const languages = readdirSync(join(root, 'texts'));
  return {
    name: 'texts',
    setup(build) {
      build.onResolve({ filter: /^texts:/ }, ({ path }) => ({
        path: path.slice('texts:'.length),
        namespace: 'texts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => {
        const [area, language] = path.split('/');
        const contents = language
          ? [...SHARED, area].map(
              (file) => `export { default as ${file} } from './texts/${language}/${file}.json';`,
            )
          : [
              'export default {',
              ...languages.map((one) => `${one}: () => import('texts:${area}/${one}'),`),
              '};',
            ];
        return { contents: contents.join('\n'), resolveDir: root };
      });
    },
  };
}
