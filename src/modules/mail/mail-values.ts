import type { Site } from '../../kernel/declare/site.ts';
import { storeUrl } from '../store-profile/index.ts';
import { LINK_PLACEHOLDER } from './one-time-link.ts';

/**
 * A word joiner behind `://`: it is invisible, and neither we nor mail programs make a link of the address.
 *
 * @public For tests.
 */
export const NO_LINK = '\u2060';

/**
 * Values are written by others: an address in a name would be a link in a mail of the store. So only addresses of the
 * site and of the store stay addresses. The placeholder is removed: behind an address, it would send the link elsewhere.
 */
export function asValues<D extends object>(site: Site, data: D): D {
  const given = JSON.stringify(data);
  // Nearly always, and computing the origins takes longer than all else here.
  if (!given.includes('://')) return data;
  const own = new Set(
    [site.publicUrl, site.settings.get(storeUrl)].filter((url) => URL.canParse(url)).map(originOf),
  );
  const text = given
    .replaceAll(LINK_PLACEHOLDER, '')
    .replaceAll(
      /([a-z][a-z0-9+.-]*:\/\/)([^\s<>"\\]*)/gi,
      (address: string, scheme: string, rest: string) =>
        URL.canParse(address) && own.has(originOf(address)) ? address : scheme + NO_LINK + rest,
    );
  // A text becomes no other type, so the data keep theirs.
  return JSON.parse(text) as D;
}

const originOf = (address: string): string => new URL(address).origin;
