/**
 * The style of every page: variables for colours and sizes, a light and a dark scheme, and the elements
 * of plain pages. Text has a contrast of at least 4.5:1 (WCAG AA) on every background that it is used on.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #fff; --ground: #f6f7f8; --code: #f6f7f8; --text: #1b2126; --muted: #57626b; --line: #dfe3e6;
  --field: #868f96; --accent: #0b6b53; --on-accent: #fff; --fault: #b3261e; --radius: .5rem;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14191c; --ground: #0e1214; --code: #0e1214; --text: #e4e9ec; --muted: #a0abb3; --line: #2b3338;
    --field: #76828a; --accent: #4cc4a0; --on-accent: #04201a; --fault: #ff9a92;
  }
}
* { box-sizing: border-box; }
html { text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--text); background: var(--page);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; letter-spacing: -.015em; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: .15rem solid var(--accent); outline-offset: .15rem; border-radius: .2rem; }
code, pre { font-family: var(--mono); font-size: .875em; font-variant-ligatures: none; }
pre { overflow-x: auto; margin: 0 0 1rem; padding: .85rem 1rem; background: var(--code); line-height: 1.55;
  border: 1px solid var(--line); border-radius: var(--radius); }
pre code { font-size: inherit; }

.plain { background: var(--ground); padding: clamp(1rem, 5vw, 4.5rem) 1rem; }
.plain main { max-width: 36rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 2.75rem); background: var(--page);
  border: 1px solid var(--line); border-radius: .75rem; box-shadow: 0 1px 2px #0000000a, 0 8px 24px #0000000a; }
.plain main > :last-child, .plain form > :last-child { margin-bottom: 0; }
.plain pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.plain h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.lead { font-size: 1.1rem; color: var(--muted); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; }

label { display: block; margin-top: 1.25rem; font-weight: 600; }
label small { font-weight: 400; font-size: .875rem; color: var(--muted); }
input, textarea, select { font: inherit; width: 100%; margin-top: .35rem; padding: .55rem .7rem; color: inherit;
  background: var(--page); border: 1px solid var(--field); border-radius: var(--radius); }
textarea { resize: vertical; display: block; }
input:focus-visible, textarea:focus-visible, select:focus-visible { outline-offset: 0; border-color: var(--accent);
  border-radius: var(--radius); }
fieldset { border: 0; margin: 2rem 0 0; padding: 0; min-inline-size: 0; }
legend { padding: 0; font-size: 1.1rem; font-weight: 600; }
.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.fault ul { margin: 0; }
[aria-invalid="true"] { border-color: var(--fault); }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .6rem 1.25rem; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
  border-radius: var(--radius); text-decoration: none; }
form > button { margin-top: 1.75rem; }
button:hover, .button:hover { filter: brightness(1.08); }
.button.quiet { color: var(--accent); background: none; border-color: var(--field); }
.hint { margin: .3rem 0 0; color: var(--muted); font-size: .875rem; }
.fault { margin: .3rem 0 0; color: var(--fault); font-size: .9rem; }
.fault + p { margin-top: 1rem; }
.fault[role="alert"] { margin: 0 0 1rem; padding: .75rem 1rem; font-size: 1rem; border-radius: var(--radius);
  border: 1px solid; background: color-mix(in srgb, var(--fault) 8%, transparent); }
@media print { body, .plain { background: none; } .plain main { border: 0; box-shadow: none; padding: 0; } }
`;
