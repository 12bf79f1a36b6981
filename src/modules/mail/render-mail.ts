import type { Site } from '../../kernel/declare/site.ts';
import { html, Html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn } from '../../shared/texts.ts';
import { mailAccent } from '../brand/index.ts';
import { affiliateWordsIn, siteName, storeUrl, webEnabled } from '../store-profile/index.ts';
import { button, layout, paragraph } from './mail-layout.ts';
import { asValues } from './mail-values.ts';
import { usesLink, type MailDefinition, type MailTexts } from './mail.ts';
import { LINK_PLACEHOLDER } from './one-time-link.ts';
import { escapeForHtml, parseTemplate, renderTemplate, type Token } from './template.ts';

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
  /** Where the recipient of a mail to many unsubscribes; null for all others. */
  readonly unsubscribe?: string | null;
}

export function renderMail(
  site: Site,
  mail: MailDefinition,
  texts: MailTexts,
  { language, data, hasLink, unsubscribe = null }: MailContent,
): RenderedMail {
  const values = siteValues(site);
  const view = viewOf(site, { language, data, hasLink });
  const plain = (template: string) => renderTemplate(template, view, String);
  const subject = oneLine(plain(texts.subject)).slice(0, SUBJECT_LENGTH_MAX);
  const action = plain(texts.action ?? '').trim();
  const isAction = (part: string) =>
    action !== '' && (part === LINK_PLACEHOLDER || isPortalPage(site, part));
  const parts = plain(texts.text)
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean);
  const accent = mailAccent(site);
  const body =
    texts.html === undefined
      ? html`${parts.map((part) => (isAction(part) ? button(action, part, accent) : paragraph(part, accent)))}`
      : new Html(renderTemplate(texts.html, view, escapeValue));
  const footer = footerOf(mail, language, values.portal_url, unsubscribe).map(plain);
  const written = parts.map((part) => (isAction(part) ? `${action}:\n${part}` : part));
  return {
    subject,
    text: [...written, ['-- ', values.name, ...footer].join('\n')].join('\n\n'),
    html: layout({
      language,
      siteName: values.name,
      subject,
      preheader: parts.find((part) => !GREETING.test(part) && !part.includes('://')) ?? '',
      body,
      footer,
      accent,
    }),
  };
}

/** Everything that templates may use. */
function viewOf(site: Site, { language, data, hasLink }: MailContent) {
  return {
    ...asValues(site, data),
    ...affiliateWordsIn(site, language),
    link: hasLink ? LINK_PLACEHOLDER : '',
    site: siteValues(site),
  };
}

/** A text with its values, as it is shown elsewhere than in a mail. */
export function renderText(
  site: Site,
  template: string,
  { language, data }: Omit<MailContent, 'hasLink'>,
): string {
  return renderTemplate(template, viewOf(site, { language, data, hasLink: false }), String);
}

/** One short line, such as "Hello Maya,". */
const GREETING = /^.{0,120}[,:!]$/;

/** Only pages of the portal become buttons: an address in a message that a person wrote does not. */
function isPortalPage({ publicUrl }: Site, part: string): boolean {
  return part.startsWith(`${publicUrl}/app`) && !/\s/.test(part);
}

function footerOf(
  { reason = 'account', notice }: MailDefinition,
  language: Language,
  portalUrl: string,
  unsubscribe: string | null,
): string[] {
  const why = textIn(language, `server.footer.${reason}`);
  if (unsubscribe !== null) {
    return [why, `${textIn(language, 'server.footer.unsubscribe')} ${unsubscribe}`];
  }
  const notices = `${textIn(language, 'server.footer.notices')} {{site.portal_url}}/profile`;
  return notice && portalUrl !== '' ? [why, notices] : [why];
}

/** Mustache also escapes slashes, and the placeholder would not be found. */
function escapeValue(value: string): string {
  return value === LINK_PLACEHOLDER ? value : escapeForHtml(value);
}

/** Values that every mail may use, in addition to its own data. */
function siteValues(site: Site): Record<(typeof SITE_NAMES)[number], string> {
  return {
    name: site.settings.get(siteName),
    url: site.publicUrl,
    store_url: site.settings.get(storeUrl),
    portal_url: site.settings.get(webEnabled) ? `${site.publicUrl}/app` : '',
  };
}

const SITE_NAMES = ['name', 'url', 'store_url', 'portal_url'] as const;

/** Prevents header injection: a line break would start another header. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

/** Throws an error with the reason if a template is invalid or uses unknown names. */
export function checkTemplate(template: string, mail: MailDefinition): void {
  const link = usesLink(mail) ? ['link'] : [];
  const known = [...Object.keys(mail.data.properties), ...link, ...COMMON_NAMES, '.'];
  checkTokens(parseTemplate(template), known);
}

export const COMMON_NAMES = [
  'affiliate',
  'affiliates',
  ...SITE_NAMES.map((name) => `site.${name}`),
];

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

/**
 * Whether a valid template inserts a value wherever it is not empty: outside sections, or in the section of the value
 * itself.
 */
export function isAlwaysInserted(template: string, wanted: string): boolean {
  const isIn = (tokens: readonly Token[]): boolean =>
    tokens.some(
      ([kind, name, , , inner]) =>
        name === wanted &&
        (kind === 'name' || (kind === '#' && inner !== undefined && isIn(inner))),
    );
  return isIn(parseTemplate(template));
}
