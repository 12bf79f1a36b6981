/** Pages of WordPress that an owner may copy the address of. */
const PAGES = /\/(?:wp-admin|wp-json|wp-login\.php|index\.php)(?:\/.*)?$/;

/** The address of a shop out of what an owner types or pastes: with a scheme, without a page and a final slash. */
export function normalizeUrl(typed: string): string {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') {
    throw new Error('must be the address of the shop, such as https://shop.example');
  }
  const path = url.pathname.replace(PAGES, '').replace(/\/+$/, '');
  return url.origin + path;
}
