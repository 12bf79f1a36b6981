/** Styles of the API reference, in addition to those of all pages. */
export const REFERENCE_STYLE = `
:root { --bar: 3.5rem; --get: var(--accent); --post: oklch(.48 .15 258); --put: var(--warn); --delete: var(--bad); }
@media (prefers-color-scheme: dark) {
  :root { --post: oklch(.77 .12 258); }
}
html { scroll-padding-top: calc(var(--bar) + 1rem); }
.skip { position: absolute; inset-block-start: -4rem; inset-inline-start: 1rem; z-index: 3; padding: .5rem 1rem;
  background: var(--page); }
.skip:focus { inset-block-start: .5rem; }
.bar { position: sticky; inset-block-start: 0; z-index: 2; display: flex; align-items: center; gap: 1.25rem;
  height: var(--bar); padding: 0 1.25rem; background: var(--page); border-block-end: 1px solid var(--line); }
.brand { font-weight: 650; color: inherit; text-decoration: none; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.bar nav { display: flex; gap: 1.25rem; margin-inline-start: auto; white-space: nowrap; font-size: .925rem; }
.bar nav a { color: var(--muted); text-decoration: none; line-height: calc(var(--bar) - 2px); }
.bar nav a[aria-current] { color: var(--text); box-shadow: inset 0 -2px var(--accent); }

.to-contents { margin-inline-start: auto; font-size: .925rem; color: var(--muted); text-decoration: none; }
.to-contents + nav { margin-inline-start: 0; }
.side { display: none; }
.side ul, .contents ul { list-style: none; margin: 0 0 1rem; padding: 0; }
.side p, .contents p { margin: 1.25rem 0 .25rem; font-weight: 650; font-size: .875rem; }
.side p a, .contents p a { color: inherit; text-decoration: none; }
.side li a, .contents li a { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem;
  padding: .22rem 0; color: var(--muted); text-decoration: none; font-size: .875rem; line-height: 1.4; }
.side a:hover, .contents a:hover { color: var(--accent); }
.side li .method, .contents li .method { font-size: .65rem; padding: 0; border: 0; background: none; }

.reference main { padding: 2rem 1.25rem 6rem; min-width: 0; }
.reference h1 { font-size: 2rem; }
.reference h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 0 0 .5rem; }
.reference h3 { font-size: 1.125rem; margin: 0 0 .35rem; }
.reference h3 a { color: inherit; text-decoration: none; }
.reference h3 a:hover { text-decoration: underline; }
.reference h4 { font-size: .875rem; margin: 1.75rem 0 .25rem; padding-block-end: .4rem;
  border-block-end: 1px solid var(--line); }
.facts { color: var(--muted); font-size: .925rem; }
.contents { margin: 1.5rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); }
.contents summary { font-weight: 650; cursor: pointer; }
.contents nav { margin-top: 1rem; }
.contents li a { padding: .4rem 0; }

.guide, .group, #records, #webhooks { margin-top: 3.5rem; }
.group, #records, #webhooks { padding-top: 3rem; border-block-start: 1px solid var(--line); }
.operation, .record { margin-top: 2.75rem; }
.address { display: flex; flex-wrap: wrap; align-items: baseline; gap: .35rem .6rem; margin: 0 0 1rem; }
.address code { font-size: .9rem; overflow-wrap: anywhere; min-width: 0; }
.method { font: 700 .72rem/1.5 var(--mono); letter-spacing: .02em; padding: .05rem .4rem; border-radius: .25rem;
  color: var(--get); border: 1px solid currentcolor; }
.method.post { color: var(--post); }
.method.put, .method.patch { color: var(--put); }
.method.delete { color: var(--delete); }
.access { font-size: .925rem; color: var(--muted); }
.access strong { font-weight: 600; color: var(--text); }
.text :not(pre) > code, .reference p code, dd code { padding: .08em .25em; background: var(--ground);
  border-radius: .25rem; }

.fields, .errors { margin: 0; font-size: .925rem; }
.fields > div, .errors > div { padding: .7rem 0; border-block-end: 1px solid var(--line); }
.fields > div:last-child, .errors > div:last-child { border-block-end: 0; }
.fields dt > code { padding: 0; background: none; font-weight: 650; overflow-wrap: anywhere; }
.fields dd, .errors dd { margin: .2rem 0 0; color: var(--muted); }
.fields .fields { margin-top: .5rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line);
  color: var(--text); }
.type { color: var(--muted); font-size: .85rem; margin-inline-start: .25rem; }
p.type { margin-inline-start: 0; }
.required { font-size: .75rem; font-weight: 600; color: var(--put); margin-inline-start: .25rem; }
.status { display: inline-block; min-width: 2.2rem; font: 600 .85rem var(--mono); color: var(--muted); }
.errors code { overflow-wrap: anywhere; }
.errors dt code { padding: 0; background: none; font-weight: 600; }
.also { margin-top: .75rem; font-size: .85rem; line-height: 1.9; color: var(--muted); }
.also code { overflow-wrap: anywhere; }
.note { margin-top: .75rem; font-size: .875rem; color: var(--muted); }

.code { margin: 1.25rem 0 0; border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden;
  background: var(--ground); }
.code figcaption { padding: .45rem .9rem; font-size: .8rem; font-weight: 600; color: var(--muted);
  border-block-end: 1px solid var(--line); }
.code pre { margin: 0; border: 0; border-radius: 0; font-size: .8125rem; max-height: 26rem; overflow: auto;
  padding: .8rem .9rem; }
.code pre:focus-visible { outline-offset: -.2rem; }
.code b { font-weight: 500; color: var(--text); }
.code i { font-style: normal; color: var(--get); }
.code u { text-decoration: none; color: var(--post); }

.event { border-block-end: 1px solid var(--line); }
.event summary { padding: .7rem 0; cursor: pointer; }
.event summary code { font-weight: 650; overflow-wrap: anywhere; }
.event summary span { color: var(--muted); font-size: .925rem; }
.event[open] { padding-block-end: 1.5rem; }
#contents, .pair { scroll-margin-top: 4rem; }
#webhooks h3 { margin-top: 2rem; }

@media (min-width: 62rem) {
  .reference { display: grid; grid-template-columns: 17rem minmax(0, 1fr); grid-template-rows: var(--bar) auto; }
  .bar { grid-column: 1 / -1; }
  .side { display: block; position: sticky; inset-block-start: var(--bar); align-self: start; overflow-y: auto;
    height: calc(100vh - var(--bar)); padding: 1.5rem 1.25rem 3rem; border-inline-end: 1px solid var(--line); }
  .contents, .to-contents { display: none; }
  .to-contents + nav { margin-inline-start: auto; }
  .reference main { padding: 2.5rem 2.5rem 8rem; max-width: 84rem; }
  .guide, .operation, .pair { display: grid; column-gap: 3rem; align-items: start;
    grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); }
  .guide > h2, .operation > h3, .operation > .address { grid-column: 1 / -1; }
  .guide > .text, .operation > .text, .pair > .text { grid-column: 1; }
  .example { grid-column: 2; }
  .operation > .example { position: sticky; inset-block-start: calc(var(--bar) + 1rem); }
  .example > .code:first-child { margin-top: 0; }
  .record > .fields, #webhooks > .text { max-width: 48rem; }
}
@media print {
  html { font-size: 75%; }
  .bar, .side, .contents, .skip { display: none; }
  .reference { display: block; }
  .operation { break-inside: avoid-page; }
  .example { position: static; }
  .code pre { max-height: none; white-space: pre-wrap; }
  .event::details-content { content-visibility: visible; block-size: auto; }
}
`;
