/**
 * Parameters that ad networks add to the addresses of their ads. Links without an ad have none of them.
 */
export const AD_PARAMETERS = [
  // Google: search, apps, display
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  // Microsoft, Yandex
  'msclkid',
  'yclid',
  // TikTok, X, LinkedIn, Pinterest, Snapchat, Reddit
  'ttclid',
  'twclid',
  'li_fat_id',
  'epik',
  'sccid',
  'rdt_cid',
  // Taboola, Outbrain
  'tblci',
  'obclid',
];

/** Facebook adds it to every link, so it says nothing by itself; a store may look for it all the same. */
const OF_ANY_LINK = 'fbclid';

const NAMES_MAX = 10;

/** The names of ad parameters in a query, sorted; never their values. `more`: those that the store looks for besides. */
export function adParametersIn(search: string, more: readonly string[]): string[] {
  if (search.length <= 1) return [];
  const known = new Set([...AD_PARAMETERS, OF_ANY_LINK, ...more.map(foldName)]);
  const found = new Set<string>();
  for (const name of new URLSearchParams(search).keys()) {
    const folded = foldName(name);
    if (known.has(folded)) found.add(folded);
  }
  return [...found].sort().slice(0, NAMES_MAX);
}

export function foldName(name: string): string {
  return name.toLowerCase();
}
