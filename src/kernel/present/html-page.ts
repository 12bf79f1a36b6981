import { html, type Html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages.ts';
import { HttpResponse } from '../declare/http-response.ts';
import { pageStyle } from './page-style.ts';

/** Forbids scripts, requests to other hosts and frames. */
const CSP_BASE = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

interface PageOptions {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** The language of the page; English if not given. */
  language?: Language;
  /** Content before `<main>`, such as a page header. */
  before?: Html;
  /** The class of `<body>`, for the style sheets. */
  kind?: string;
  /** Paths of further style sheets of this service. */
  styles?: readonly string[];
}

/** A page that works without JavaScript. */
export function page(
  title: string,
  body: Html,
  { language = 'en', before, kind = 'plain', styles = [], ...options }: PageOptions = {},
): HttpResponse<string> {
  const text = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        ${['/page.css', ...styles].map((path) => html`<link rel="stylesheet" href="${path}" />`)}
      </head>
      <body class="${kind}">
        ${before}
        <main id="content">${body}</main>
      </body>
    </html>`;
  return new HttpResponse(String(text), {
    ...options,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${CSP_BASE}; style-src 'self'; img-src 'self'; form-action 'self'`,
      'Content-Language': language,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      ...options.headers,
    },
  });
}

export function styleSheet(style: string): HttpResponse<string> {
  return new HttpResponse(style.trim(), { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}

export const pageStyleSheet = (): HttpResponse<string> => styleSheet(pageStyle());
