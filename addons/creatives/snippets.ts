import type { Site } from '../../src/kernel/declare/site.ts';
import { referralUrl } from '../../src/modules/coupons/index.ts';
import type { FileFacts } from '../../src/modules/files/index.ts';
import { storeUrl } from '../../src/modules/store-profile/index.ts';
import { escapeHtml } from '../../src/shared/html.ts';
import type { Language } from '../../src/shared/languages.ts';
import { textIn } from '../../src/shared/texts.ts';
import type { CreativeRow } from './creative-rows.ts';
import './texts.ts';

export interface Snippets {
  readonly html: string;
  readonly markdown: string;
  readonly text: string;
}

/** The affiliate's link to the page of a creative. Clicks on it are counted for the creative. */
export function linkOf(site: Site, { id, url }: CreativeRow, code: string): string {
  const link = new URL(referralUrl(site, code));
  const isOurs = link.href.startsWith(`${site.publicUrl}/`);
  const page = url === '' ? null : URL.parse(url, site.settings.get(storeUrl));
  if (page && isOurs) link.searchParams.set('to', page.pathname + page.search + page.hash);
  const target = page && !isOurs ? withParameters(page, link) : link;
  target.searchParams.set('creative', String(id));
  return target.href;
}

/** The store reads the code itself: the page gets the parameters of the affiliate's link. */
function withParameters(page: URL, link: URL): URL {
  for (const [name, value] of link.searchParams) page.searchParams.set(name, value);
  return page;
}

interface Parts {
  readonly link: string;
  readonly code: string;
  readonly file: FileFacts | null;
  readonly language: Language;
}

/** What an affiliate pastes: the creative, the link and the code in one. */
export function snippetsOf(row: CreativeRow, { link, code, file, language }: Parts): Snippets {
  const note = textIn(language, 'server.creative.code', { code });
  if (row.kind === 'text' || row.kind === 'email') return textSnippets(row.text, { link, code });
  if (row.kind === 'image' && file) {
    const size = `width="${file.width}" height="${file.height}"`;
    const image = `<img src="${escapeHtml(file.url)}" alt="${escapeHtml(row.alt)}" ${size}>`;
    return {
      html: `<a href="${escapeHtml(link)}">${image}</a>\n<p>${escapeHtml(note)}</p>`,
      markdown: `[![${escapeMarkdown(row.alt)}](${file.url})](${link})\n\n${escapeMarkdown(note)}`,
      text: lines(row.alt, link, note),
    };
  }
  const document = file ? [file.url] : [];
  const download = textIn(language, 'server.creative.file', { name: row.name });
  return {
    html: [
      ...document.map((url) => `<p><a href="${escapeHtml(url)}">${escapeHtml(download)}</a></p>`),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(row.name)}</a></p>`,
      `<p>${escapeHtml(note)}</p>`,
    ].join('\n'),
    markdown: [
      ...document.map((url) => `[${escapeMarkdown(download)}](${url})`),
      `[${escapeMarkdown(row.name)}](${link})`,
      escapeMarkdown(note),
    ].join('\n\n'),
    text: lines(row.name, ...document, link, note),
  };
}

/** A text names the link and the code where it wants them; else the link follows it. */
function textSnippets(text: string, { link, code }: Pick<Parts, 'link' | 'code'>): Snippets {
  const whole = text.includes('{link}') ? text : `${text}\n\n{link}`;
  const filled = (link_: string, escape: (part: string) => string) =>
    whole
      .split(/(\{link\}|\{code\})/)
      .map((part) => (part === '{link}' ? link_ : part === '{code}' ? escape(code) : escape(part)))
      .join('');
  const anchor = `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;
  return {
    html: filled(anchor, escapeHtml)
      .split(/\n{2,}/)
      .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
      .join('\n'),
    markdown: filled(`<${link}>`, escapeMarkdown),
    text: filled(link, (part) => part),
  };
}

function lines(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** The characters by which Markdown, or HTML within it, would begin. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`);
}
