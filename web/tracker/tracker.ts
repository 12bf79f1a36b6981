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
  consent(given?: boolean): void;
}

const NAME = 'tributary';
const page = window as { tributary?: Tributary };
const script = document.currentScript as HTMLScriptElement | null;
// Both are read at once: a store may change the address before the visitor consents.
const landing = new URLSearchParams(location.search);
const path = location.pathname.slice(0, 500);
let isAllowed = script?.dataset['consent'] !== 'wait';
let isStarted = false;

function read(): Origin | undefined {
  if (!isAllowed) return undefined;
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

function start(): void {
  if (isStarted || !isAllowed) return;
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', start);
    return;
  }
  isStarted = true;
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
  const campaign = (landing.get('campaign') ?? '').slice(0, 200);
  navigator.sendBeacon(
    target,
    new URLSearchParams({
      code,
      visitor,
      campaign,
      path,
      ...(clickId && { click_id: `${clickId}` }),
    }),
  );
}

function newVisitor(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `t.${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`;
}

if (!page.tributary) {
  page.tributary = {
    code: () => read()?.[0],
    visitor: () => read()?.[1] || undefined,
    order() {
      const [code, visitor, clickId] = read() ?? [];
      return {
        ...(code && { referral_code: code }),
        ...(visitor && { visitor }),
        ...(clickId && { click_id: clickId }),
      };
    },
    consent(given = true) {
      isAllowed = given;
      if (given) start();
      else store('', 0);
    },
  };
  start();
}
