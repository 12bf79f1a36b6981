import { parseTemplate, type Token } from './template.ts';

/**
 * The one-time link is a way into the account of the recipient. It stands alone on its line and once, so that no
 * address of another site can contain it.
 */
const LINK_RULE =
  'must contain {{link}} exactly once, alone on its line and outside the sections of other placeholders';

/** Not in any text that people write: a private character. */
const MARK = '\uE000';

/** Why a part of a mail with a one-time link is refused, whatever values its other placeholders have. */
export function errorOfLink(
  part: 'subject' | 'text' | 'html',
  template: string,
): string | undefined {
  if (part === 'text') return isAlone(template) ? undefined : LINK_RULE;
  if (part === 'subject') return mentions(template) ? 'must not contain {{link}}' : undefined;
  return mentions(withoutElements(template))
    ? 'must contain {{link}} only as a complete href, or as the complete text of an element'
    : undefined;
}

function isAlone(template: string): boolean {
  const outline = outlineOf(parseTemplate(template));
  return outline.split(MARK).length === 2 && ALONE.test(outline);
}

const ALONE = new RegExp(`(?:^|\n)[ \t]*${MARK}[ \t]*(?:\r?\n|$)`);

function mentions(template: string): boolean {
  return parseTemplate(template).some(isAboutLink);
}

function withoutElements(html: string): string {
  return html
    .replaceAll(/\shref=(["'])\{\{link\}\}\1/g, ' href=""')
    .replaceAll(/>\s*\{\{link\}\}\s*</g, '><');
}

/**
 * A template with a mark for the link and an x for what another placeholder inserts. A section may be left out
 * together with its line breaks, so it counts as text on one line, and must not contain the link. The section of the
 * link itself is in every mail that has one.
 */
function outlineOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const [kind, name, , , inner = []] = token;
      if (kind === 'text') return name;
      if (kind === '!') return '';
      if (kind === '#' && name === 'link') return outlineOf(inner);
      if (kind === 'name') return isAboutLink(token) ? MARK : 'x';
      return inner.some(isAboutLink) ? MARK + MARK : 'x';
    })
    .join('');
}

/** `{{.}}` is the link within its section, and within every section in it that is a condition. */
function isAboutLink([kind, name, , , inner = []]: Token): boolean {
  const isNamed = name === 'link' || name === '.';
  return (kind !== 'text' && kind !== '!' && isNamed) || inner.some(isAboutLink);
}
