import { HttpResponse } from '../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn } from '../../shared/texts.ts';
import type { ShownScreen } from '../../web-contract/extension-screens.ts';
import { pageBrand } from '../brand/index.ts';
import { affiliateWord, siteName } from '../store-profile/index.ts';
import type { Entry } from './web-build.ts';

/** Of what the screens put into their addresses. A longer query would not fit into the header of a redirect. */
const SEARCH_LENGTH_MAX = 500;

const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'; " +
  "form-action 'self'; object-src 'none'";

/** Leads to the sign-in page and back to this address. */
export function signInFirst({ search }: RequestFacts, path: string): HttpResponse<string> {
  const isWorthKeeping = search !== '' && search.length <= SEARCH_LENGTH_MAX;
  const next = isWorthKeeping ? `${path}?${search}` : path;
  const headers = { Location: `/app/login?next=${encodeURIComponent(next)}` };
  return new HttpResponse('', { status: 303, headers });
}

interface Shell {
  readonly entry: Entry;
  readonly language: Language;
  /** Files that the script needs immediately for this address, beside those of its entry. */
  readonly early: readonly string[];
  /** Those of extensions, in the console. */
  readonly screens?: readonly ShownScreen[];
}

/**
 * The page that loads the portal or the console. It contains nothing about a person: the script asks the API,
 * with the session of the browser.
 */
export function appShell(
  site: Site,
  { entry, language, early, screens = [] }: Shell,
): HttpResponse<string> {
  const { script, style, chunks } = entry;
  const brand = pageBrand(site);
  const preloaded = [...new Set([...chunks, ...early])];
  const text = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${site.settings.get(siteName)}</title>
        <link rel="icon" href="${brand.logo ?? '/icon.svg'}" />
        <link rel="stylesheet" href="/app/files/${style}" />
        ${brand.style && html`<link rel="stylesheet" href="${brand.style}" />`}
        <script type="module" src="/app/files/${script}"></script>
        ${preloaded.map((file) => html`<link rel="modulepreload" href="/app/files/${file}" />`)}
      </head>
      <body>
        <div
          id="app"
          data-public-url="${site.publicUrl}"
          data-logo="${brand.logo ?? ''}"
          data-affiliate-word="${site.settings.get(affiliateWord)}"
          data-addons="${activeAddons(site)}"
          data-screens="${JSON.stringify(screens)}"
        ></div>
        <noscript>
          <p>${textIn(language, 'server.page.needsScript')}</p>
        </noscript>
      </body>
    </html>`;
  return new HttpResponse(String(text), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    },
  });
}

/** The names of the add-ons that are on. The screens of the others are not shown. */
function activeAddons({ registry, settings }: Site): string {
  const addons = registry
    .activeModules()
    .filter(({ addon, shownWhile }) => addon && (!shownWhile || settings.get(shownWhile)));
  return addons.map(({ name }) => name).join(' ');
}
