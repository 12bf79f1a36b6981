import { hostOf, isLoopbackHost } from '../../../shared/public-address.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/;
const SUFFIX = '.myshopify.com';

/**
 * The address of a shop's API, out of the name, the domain, the address of its administration, or any address below
 * them. A service on this machine is accepted as it is, for tests.
 */
export function normalizeUrl(typed: string): string {
  const text = typed.trim().toLowerCase();
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url && isLoopbackHost(hostOf(url))) return url.origin;
  const host = url?.hostname ?? '';
  const [, section, store] = url?.pathname.split('/') ?? [];
  const isAdministration = host === 'admin.shopify.com' && section === 'store';
  const name = isAdministration
    ? (store ?? '')
    : host.endsWith(SUFFIX)
      ? host.slice(0, -SUFFIX.length)
      : text;
  if (NAME.test(name)) return `https://${name}${SUFFIX}`;
  throw new Error(
    'Enter the domain that Shopify gave the shop, such as my-shop.myshopify.com. It is in Settings, Domains.',
  );
}
