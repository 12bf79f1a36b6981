export interface LinkParts {
  /** The link of the coupon: `/r/{code}` here, or the store's URL with the code in its query. */
  referralUrl: string;
  code: string;
  storeUrl: string;
  /** A page of the store as the affiliate typed or pasted it; empty for its front page. */
  page: string;
  campaign: string;
  subs?: Subs;
}

export const subNames = ['sub1', 'sub2', 'sub3', 'sub4', 'sub5'] as const;
/** The affiliate's own ids for the place of a link. */
export type Subs = Readonly<Record<(typeof subNames)[number], string>>;

/** The service ignores such a value in a link. */
export function looksLikeEmail(value: string): boolean {
  return /[^\s@]\s*@\s*[^\s@]+\.[^\s@]/.test(value);
}

/** The link to share. `error` if the page does not belong to the store; the link then leads to the front page. */
export function makeLink(parts: LinkParts): { url: string; error: boolean } {
  const page = pageOf(parts.page, parts.storeUrl);
  const isRedirect = new URL(parts.referralUrl).pathname.startsWith('/r/');
  const url = isRedirect ? redirectTo(parts.referralUrl, page) : directTo(parts, page);
  const campaign = parts.campaign.trim();
  if (campaign !== '') url.searchParams.set('campaign', campaign);
  for (const name of subNames) {
    const value = parts.subs?.[name].trim() ?? '';
    if (value !== '' && !looksLikeEmail(value)) url.searchParams.set(name, value);
  }
  return { url: url.href, error: page === 'foreign' };
}

type Page = URL | 'front' | 'foreign';

/** `https://shop.example/shoes`, `shop.example/shoes` and `/shoes` are the same page. */
function pageOf(typed: string, storeUrl: string): Page {
  const text = typed.trim();
  if (text === '') return 'front';
  const store = new URL(storeUrl);
  const hasHost = /^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('//');
  const isHostless = !hasHost && !text.startsWith('/') && /^[^/?#]+\.[^/?#]+/.test(text);
  const page = URL.parse(isHostless ? `${store.protocol}//${text}` : text, store);
  if (!page || page.host !== store.host) return 'foreign';
  page.protocol = store.protocol;
  return page.host === store.host ? page : 'foreign';
}

function redirectTo(referralUrl: string, page: Page): URL {
  const url = new URL(referralUrl);
  if (page instanceof URL) url.searchParams.set('to', page.pathname + page.search + page.hash);
  return url;
}

/** The store reads the code itself: the page gets the parameter of the coupon's link. */
function directTo({ referralUrl, code }: LinkParts, page: Page): URL {
  const link = new URL(referralUrl);
  if (!(page instanceof URL)) return link;
  const [name] = [...link.searchParams].find(([, value]) => value === code) ?? ['ref'];
  const url = new URL(page);
  url.searchParams.set(name, code);
  return url;
}
