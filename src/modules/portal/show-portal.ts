import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { html } from '../../shared/html.ts';
import { affiliateWord, siteName } from '../meta/index.ts';
import { cookieName } from '../sessions/index.ts';
import { entryOf, languageOf } from '../web/index.ts';

/** The screens below /app, each a file of `web/portal`. Details of a screen are in its query. */
const screens = new Set(['links', 'orders', 'money', 'payout-details', 'profile']);

export const showPortal = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app',
  summary: 'Show the portal',
  access: 'public',
  scope: null,
  otherStatus: 303,
  response: Type.String(),
  handle: ({ site, request }) => portal(site, request, '/app'),
});

export const showPortalScreen = operation({
  method: 'GET',
  namespace: 'site',
  path: '/app/{screen}',
  summary: 'Show a screen of the portal',
  access: 'public',
  scope: null,
  params: Type.Object({ screen: Type.String() }),
  otherStatus: 303,
  response: Type.String(),
  handle({ site, request }, { screen }) {
    if (!screens.has(screen)) throw new ApiError(generalErrors.noRoute);
    return portal(site, request, `/app/${screen}`);
  },
});

/** Of what the portal puts into its addresses. A longer query would not fit into the header of a redirect. */
const SEARCH_LENGTH_MAX = 500;

const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'; " +
  "form-action 'self'; object-src 'none'";

/**
 * The page that loads the portal. It contains nothing about a person: the script asks the API, with the
 * session of the browser. Without a session cookie the way leads to the sign-in page at once.
 */
function portal(site: Site, request: RequestFacts, path: string): HttpResponse<string> {
  if (request.cookie(cookieName(request.secure)) === undefined) {
    const { search } = request;
    const isWorthKeeping = search !== '' && search.length <= SEARCH_LENGTH_MAX;
    const next = isWorthKeeping ? `${path}?${search}` : path;
    const headers = { Location: `/app/login?next=${encodeURIComponent(next)}` };
    return new HttpResponse('', { status: 303, headers });
  }
  const language = languageOf(site, request);
  const { script, style, chunks, words, further } = entryOf('portal');
  const ofScreen = path === '/app' ? [] : further!;
  const early = new Set([...chunks, words![language]!, ...ofScreen]);
  const text = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${site.settings.get(siteName)}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/app/files/${style}" />
        <script type="module" src="/app/files/${script}"></script>
        ${[...early].map((file) => html`<link rel="modulepreload" href="/app/files/${file}" />`)}
      </head>
      <body>
        <div
          id="portal"
          data-public-url="${site.publicUrl}"
          data-affiliate-word="${site.settings.get(affiliateWord)}"
        ></div>
        <noscript>
          <p>This page needs JavaScript.</p>
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
