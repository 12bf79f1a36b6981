import type { Site } from '../../kernel/declare/site.ts';
import { storeUrl } from '../store-profile/index.ts';
import { attributionLink, attributionParameter } from './settings.ts';

/** Browsers remove these segments from a path, percent-encoded or not. */
const DOT_SEGMENT = /^\.{1,2}$/;

/** The link that an affiliate shares. */
export function referralUrl(site: Site, code: string): string {
  const leadsToStore = site.settings.get(attributionLink) === 'store' || DOT_SEGMENT.test(code);
  return leadsToStore ? storeLink(site, code) : `${site.publicUrl}/r/${encodeURIComponent(code)}`;
}

/** Adds the parameter to the query of the store's address, before a fragment. */
function storeLink(site: Site, code: string): string {
  // `split` returns at least one part.
  const [address, ...fragment] = site.settings.get(storeUrl).split('#') as [string, ...string[]];
  const parameter = `${site.settings.get(attributionParameter)}=${encodeURIComponent(code)}`;
  const link = `${address}${address.includes('?') ? '&' : '?'}${parameter}`;
  return [link, ...fragment].join('#');
}
