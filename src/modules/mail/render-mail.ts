import Mustache from 'mustache';
import type { Site } from '../../kernel/declare/site.ts';
import { html, Html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages.ts';
import { siteName, storeUrl } from '../meta/index.ts';
import { usesLink, type MailDefinition, type MailTexts } from './mail.ts';
import { LINK_PLACEHOLDER, withoutPlaceholder } from './one-time-link.ts';

const SUBJECT_LENGTH_MAX = 200;

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface MailContent {
  readonly language: Language;
  readonly data: object;
  readonly hasLink: boolean;
}

export function renderMail(
  site: Site,
  texts: MailTexts,
  { language, data, hasLink }: MailContent,
): RenderedMail {
  const view = {
    ...(hasLink ? withoutPlaceholder(data) : data),
    link: hasLink ? LINK_PLACEHOLDER : '',
    site: siteValues(site),
  };
  const plain = (template: string) => Mustache.render(template, view, {}, { escape: String });
  const subject = oneLine(plain(texts.subject)).slice(0, SUBJECT_LENGTH_MAX);
  const text = plain(texts.text).trim();
  const body =
    texts.html === undefined
      ? paragraphs(text)
      : new Html(Mustache.render(texts.html, view, {}, { escape: escapeValue }));
  return { subject, text, html: layout(site, language, subject, body) };
}

/** Mustache also escapes slashes, and the placeholder would not be found. */
function escapeValue(value: string): string {
  return value === LINK_PLACEHOLDER ? value : Mustache.escape(value);
}

/** Values that every mail may use, in addition to its own data. */
function siteValues(site: Site): Record<'name' | 'url' | 'store_url', string> {
  return {
    name: site.settings.get(siteName),
    url: site.publicUrl,
    store_url: site.settings.get(storeUrl),
  };
}

const SITE_NAMES = ['site.name', 'site.url', 'site.store_url'];

/** Prevents header injection: a line break would start another header. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

function paragraphs(text: string): Html {
  const parts = text.split(/\n\s*\n/).map((part) => {
    const lines = part.split('\n').map((line, i) => html`${i > 0 && new Html('<br />')}${line}`);
    return html`<p>${lines}</p>`;
  });
  return html`${parts}`;
}

function layout(site: Site, language: Language, subject: string, body: Html): string {
  const { name, url } = siteValues(site);
  return String(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${subject}</title>
        </head>
        <body style="margin:0;padding:16px;font:16px/1.6 sans-serif">
          <div style="max-width:600px;margin:0 auto">
            ${body}
            <p style="margin-top:32px;padding-top:8px;border-top:1px solid #888;font-size:14px">
              ${name}<br /><a href="${url}">${url}</a>
            </p>
          </div>
        </body>
      </html> `,
  );
}

/** Throws an error with the reason if a template is invalid or uses unknown names. */
export function checkTemplate(template: string, mail: MailDefinition): void {
  const link = usesLink(mail) ? ['link'] : [];
  const known = [...Object.keys(mail.data.properties), ...link, ...SITE_NAMES, '.'];
  // Mustache declares a union of tuples; `Token` describes the common part that is read here.
  checkTokens(Mustache.parse(template) as Token[], known);
}

/** A token of Mustache's parser; sections contain tokens. */
type Token = [kind: string, name: string, start: number, end: number, inner?: Token[]];

const KINDS = new Set(['text', 'name', '#', '^', '!']);

function checkTokens(tokens: readonly Token[], known: readonly string[]): void {
  for (const [kind, name, , , inner] of tokens) {
    if (kind === '&') throw new Error(`{{{${name}}}} would insert unescaped text`);
    if (!KINDS.has(kind)) throw new Error(`{{${kind}${name}}} is not supported`);
    if (kind !== 'text' && kind !== '!' && !known.includes(name)) {
      throw new Error(`{{${name}}} is unknown; use one of ${known.slice(0, -1).join(', ')}`);
    }
    if (inner) checkTokens(inner, known);
  }
}
