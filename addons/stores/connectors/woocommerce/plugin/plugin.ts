import { readFileSync } from 'node:fs';
import type { PluginValues, StorePlugin } from '../../connector.ts';

const NAME = 'tributary-for-woocommerce';

/** Beside this file, and beside the build. */
const source = new URL(`${NAME}.php`, import.meta.url);

/** The plugin for WordPress, with the settings of links in its two constants. */
export function plugin({ codeParameters, days }: PluginValues): StorePlugin {
  const list = codeParameters.map(quoted).join(', ');
  const php = readFileSync(source, 'utf8')
    .replace(/^\tconst PARAMETERS = .*$/m, () => `\tconst PARAMETERS = array( ${list} );`)
    .replace(/^\tconst DAYS {7}= .*$/m, () => `\tconst DAYS       = ${days};`);
  return { name: NAME, files: { [`${NAME}/${NAME}.php`]: php } };
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
