import { html, type Html } from '../shared/html.ts';
import { Answer } from './operation.ts';

const STYLE = `
:root { color-scheme: light dark; --accent: #0b6b53; --line: #8884; }
* { box-sizing: border-box; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
a { color: var(--accent); }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, textarea { font: inherit; width: 100%; padding: .5rem .6rem; border: 1px solid #888; border-radius: .4rem; }
button { font: inherit; font-weight: 600; margin-top: 1.5rem; padding: .6rem 1.2rem; border: 0;
  border-radius: .4rem; background: var(--accent); color: #fff; cursor: pointer; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; }
section { border-block-start: 1px solid var(--line); margin-block-start: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0;
  border-block-end: 1px solid var(--line); }
dt { margin-top: .6rem; }
.hint { margin: .2rem 0 0; opacity: .8; font-size: .9rem; }
.fault { border-inline-start: .3rem solid #b3261e; padding-inline-start: .8rem; }
@media (prefers-color-scheme: dark) { :root { --accent: #2fae8b; } button { color: #00150f; } }
`;

/** No script, no outside request, no frame. */
const CSP_BASE = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** A page that works without JavaScript. */
export function page(
  title: string,
  body: Html,
  options: { status?: number; headers?: Record<string, string | string[]> } = {},
): Answer {
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/page.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
  return new Answer(String(text), {
    ...options,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${CSP_BASE}; style-src 'self'; form-action 'self'`,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      ...options.headers,
    },
  });
}

export function stylesheet(): Answer {
  return new Answer(STYLE.trim(), {
    headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}
