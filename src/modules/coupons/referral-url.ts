import type { Site } from '../../kernel/declare/site.ts';
import { storeUrl } from '../meta/index.ts';
import { attributionLink, attributionParameter } from './settings.ts';

/** Codes that cannot be a segment of a path: browsers remove them, percent-encoded or not. */
const DOT_SEGMENT = /^\.{1,2}$/;

/** The link that an affiliate shares. */
export function referralUrl(site: Site, code: string): string {
  const leadsToStore = site.settings.get(attributionLink) === 'store' || DOT_SEGMENT.test(code);
  return leadsToStore ? storeLink(site, code) : `${site.publicUrl}/r/${encodeURIComponent(code)}`;
}

/** The parameter goes before the fragment, beside what the address of the store has already. */
function storeLink(site: Site, code: string): string {
  const [address, ...fragment] = site.settings.get(storeUrl).split('#') as [string, ...string[]];
  const parameter = `${site.settings.get(attributionParameter)}=${encodeURIComponent(code)}`;
  const link = `${address}${address.includes('?') ? '&' : '?'}${parameter}`;
  return [link, ...fragment].join('#');
}
