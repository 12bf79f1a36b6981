/**
 * The host of a store: without `www.`, a final dot and the usual ports, whatever the scheme. The path does not count:
 * what an owner types of it differs.
 */
export function hostOf(url: string): string | null {
  const host = URL.parse(url)?.host ?? '';
  const plain = host.replace(/:(?:80|443)$/, '').replace(/\.(?=:|$)/, '');
  return plain.replace(/^www\./, '') || null;
}
