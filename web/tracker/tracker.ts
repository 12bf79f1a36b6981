/**
 * The script that a store includes as `/t.js`. It remembers on the store's own host who brought a visitor, tells
 * Tributary about the click, and gives the store's checkout what to send with an order. The build wraps it in a
 * function of `settings`, which the server calls with the settings of the site.
 */
declare const settings: {
  /** Names of the parameters that may contain a coupon code; the first that is present counts. */
  readonly parameters: readonly string[];
  /** The attribution window. */
  readonly days: number;
  /** By other names of sub-ids, their field. */
  readonly subs: Readonly<Record<string, string>>;
};

/** What is stored: the code, the visitor, the id of the click or 0, and when, in milliseconds. */
type Origin = readonly [code: string, visitor: string, clickId: number, atMs: number];

/** Fields of the order that the store sends. */
interface OrderFields {
  referral_code?: string;
  visitor?: string;
  click_id?: number;
}

/** What pages of the store may call. */
export interface Tributary {
  code(): string | undefined;
  visitor(): string | undefined;
  order(): OrderFields;
  reference(): string | undefined;
  consent(given?: boolean): void;
}

const NAME = 'tributary';
/** Where Stripe reads the reference: of a payment link, and of its elements. */
const PARAMETER = 'client_reference_id';
const ATTRIBUTE = 'client-reference-id';
const page = window as { tributary?: Tributary; Shopify?: unknown };
const script = document.currentScript as HTMLScriptElement | null;
// Both are read at once: a store may change the address before the visitor consents.
const landing = new URLSearchParams(location.search);
const path = location.pathname.slice(0, 500);
// Only the parameter names of the landing page and the origin of the referrer are sent.
const parameters = [...landing.keys()].join('&').slice(0, 1000);
const referrer = document.referrer.split('/', 3).join('/').slice(0, 500);
let isAllowed = script?.dataset['consent'] !== 'wait';
let isStarted = false;

function read(): Origin | undefined {
  return isAllowed ? stored() : undefined;
}

function stored(): Origin | undefined {
  try {
    const found =
      /(?:^|; )tributary=([^;]+)/.exec(document.cookie)?.[1] ?? localStorage.getItem(NAME);
    const origin = JSON.parse(decodeURIComponent(found!)) as Origin;
    return origin[3] + settings.days * 864e5 > Date.now() ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes what is stored. */
function store(text: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `${NAME}=${text};path=/;samesite=lax;max-age=${seconds}${secure}`;
  try {
    if (text) localStorage.setItem(NAME, text);
    else localStorage.removeItem(NAME);
  } catch {
    // The browser allows no storage: the cookie is enough.
  }
}

/** The fields for the order, without those that are not known. */
function fields(): OrderFields {
  const [code, visitor, clickId] = read() ?? [];
  return {
    ...(code && { referral_code: code }),
    ...(visitor && { visitor }),
    ...(clickId && { click_id: clickId }),
  };
}

/**
 * The click, the visitor and the code in letters, digits, `-` and `_`, each other character as `_` and four digits:
 * Stripe drops a `client_reference_id` with others, or with more than 200 characters.
 */
function reference(): string | undefined {
  const [code, visitor, clickId] = read() ?? [];
  if (!code) return undefined;
  const [known, coded] = [`${clickId}-${encode(visitor!)}-`, encode(code)];
  return `tributary-${known}${known.length + coded.length > 190 ? '' : coded}`;
}

function encode(text: string): string {
  return text.replace(
    /[^a-z0-9]/gi,
    (character) => `_${(character.charCodeAt(0) + 65536).toString(16).slice(1)}`,
  );
}

/** Shopify adds the attributes of the cart to the order. A new cart, such as after an order, has none. */
function writeCart(): void {
  if (!page.Shopify) return;
  const [code, visitor, clickId] = read() ?? [];
  const attributes = new URLSearchParams({
    'attributes[referral_code]': code ?? '',
    'attributes[visitor]': visitor ?? '',
    'attributes[click_id]': `${clickId || ''}`,
  });
  const mark = `${attributes} ${/(?:^|; )cart=[^;]+/.exec(document.cookie)?.[0] ?? ''}`;
  try {
    if (sessionStorage.getItem(NAME) === mark) return;
    if (code) sessionStorage.setItem(NAME, mark);
    else sessionStorage.removeItem(NAME);
  } catch {
    // The browser allows no storage: the cart is written on every page.
  }
  navigator.sendBeacon('/cart/update.js', attributes);
}

/** Gives payment links and elements of Stripe the reference, unless the store has set its own. */
function markStripe(): void {
  const known = reference();
  if (!known) return;
  for (const part of document.querySelectorAll<HTMLAnchorElement>(
    'stripe-buy-button,stripe-pricing-table,a[href*="buy.stripe.com/"]',
  )) {
    if (!part.href) {
      if (!part.hasAttribute(ATTRIBUTE)) part.setAttribute(ATTRIBUTE, known);
    } else if (!part.search.includes(PARAMETER)) {
      part.search += `${part.search ? '&' : '?'}${PARAMETER}=${known}`;
    }
  }
}

function start(): void {
  if (isStarted || !isAllowed) return;
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', start);
    return;
  }
  isStarted = true;
  remember();
  if (!read()) return;
  writeCart();
  markStripe();
  document.addEventListener('DOMContentLoaded', markStripe);
  // Before the browser follows a link that was added later.
  document.addEventListener('click', markStripe, true);
}

/** Stores the link that led to this page, and tells Tributary about a click that it does not know yet. */
function remember(): void {
  const code = settings.parameters.map((name) => landing.get(name)?.trim()).find(Boolean);
  if (!code || code.length > 50) return;
  // A referral link has recorded the click already, and named it and its visitor in the address.
  const clickId = /^[1-9]\d{0,14}$/.test(landing.get('click_id')!) ? +landing.get('click_id')! : 0;
  const known = read()?.[1];
  const visitor = clickId
    ? (landing.get('visitor') ?? '').slice(0, 200)
    : known?.startsWith('t.')
      ? known
      : newVisitor();
  store(
    encodeURIComponent(JSON.stringify([code, visitor, clickId, Date.now()] satisfies Origin)),
    settings.days * 86400,
  );
  const target = new URL('t', script?.src ?? location.href);
  // On the store's own host, the response sets the cookie again: browsers keep that one longer.
  if (clickId && target.origin !== location.origin) return;
  const body = new URLSearchParams({
    code,
    visitor,
    path,
    parameters,
    referrer,
    ...(clickId && { click_id: `${clickId}` }),
  });
  landing.forEach((value, name) => {
    const field = settings.subs[name] ?? name;
    // Longer ones are not valid, and the server ignores them.
    if (/^(campaign|creative|sub[1-5])$/.test(field)) body.set(field, value.slice(0, 201));
  });
  navigator.sendBeacon(target, body);
}

function newVisitor(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `t.${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`;
}

if (!page.tributary) {
  page.tributary = {
    code: () => read()?.[0],
    visitor: () => read()?.[1] || undefined,
    order: fields,
    reference,
    consent(given = true) {
      const known = stored();
      isAllowed = given;
      if (given) return start();
      store('', 0);
      if (known) writeCart();
    },
  };
  start();
}
