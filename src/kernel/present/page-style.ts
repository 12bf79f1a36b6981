import { readFileSync } from 'node:fs';

/** The colours, sizes and fonts of the web app. The build puts the file next to the program. */
const tokens = new URL(
  import.meta.url.endsWith('.ts') ? '../../../web/ui/tokens.css' : './web/tokens.css',
  import.meta.url,
);

/** The style of the pages that the web app does not render: errors and the API reference. */
export function pageStyle(): string {
  return readFileSync(tokens, 'utf8') + RULES;
}

const RULES = `
* { box-sizing: border-box; }
html { text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--text); background: var(--page); font: 1rem/1.6 var(--font);
  overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; font-weight: 650; }
h1 { font-size: var(--text-title); letter-spacing: -.015em; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--radius-small); }
code, pre { font-family: var(--mono); font-size: .875em; font-variant-ligatures: none; }
pre { overflow-x: auto; margin: 0 0 1rem; padding: .85rem 1rem; background: var(--ground); line-height: 1.55;
  border: 1px solid var(--line); border-radius: var(--radius); }
pre code { font-size: inherit; }
.lead { font-size: var(--text-large); color: var(--muted); }

.plain { display: grid; place-items: center; min-block-size: 100vh; min-block-size: 100dvh;
  padding: var(--space-4); background: var(--ground); font: var(--text-base)/1.55 var(--font); }
.plain main { inline-size: 100%; max-inline-size: 32rem; padding: var(--space-5); background: var(--page);
  border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.5); box-shadow: var(--shadow); }
.plain main > * { margin: 0 0 var(--space-4); }
.plain main > :last-child { margin: 0; padding-block-start: var(--space-4); border-block-start: 1px solid var(--line); }
.button { display: inline-flex; align-items: center; min-block-size: 2.75rem; padding: var(--space-2) var(--space-4);
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: var(--radius);
  font-weight: 600; text-decoration: none; transition: background var(--fast); }
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.hint { color: var(--muted); font-size: var(--text-small); overflow-wrap: anywhere; }
@media (max-width: 40rem) { .plain main { padding: var(--space-4); } }
@media print { body, .plain { background: none; } .plain main { border: 0; box-shadow: none; padding: 0; } }
`;
