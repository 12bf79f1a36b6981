import type { ComponentChildren } from 'preact';
import './formatted-text.css';

/**
 * Text in a small part of Markdown: headings, paragraphs, lists, links and bold words. It becomes elements, never HTML,
 * so that whatever else it contains is shown as it was written.
 */
export function FormattedText({ text }: { text: string }) {
  return (
    <div class="formatted-text">
      {blocksOf(text).map((block, i) => (
        <Block key={i} {...block} />
      ))}
    </div>
  );
}

type BlockKind = 'h2' | 'h3' | 'p' | 'ul' | 'ol';

interface TextBlock {
  readonly kind: BlockKind;
  /** The items of a list, or the lines of a paragraph. */
  readonly lines: string[];
}

/** What a line starts with, and what it then belongs to. The page has a heading of the first level already. */
const starts: readonly (readonly [RegExp, BlockKind])[] = [
  [/^##?\s+/, 'h2'],
  [/^###+\s+/, 'h3'],
  [/^[-*]\s+/, 'ul'],
  [/^\d{1,3}[.)]\s+/, 'ol'],
];

function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: TextBlock | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') {
      open = undefined;
      continue;
    }
    const [start, kind] = starts.find(([pattern]) => pattern.test(line)) ?? [/^/, 'p' as const];
    if (open?.kind !== kind || kind === 'h2' || kind === 'h3') {
      open = { kind, lines: [] };
      blocks.push(open);
    }
    open.lines.push(line.replace(start, ''));
  }
  return blocks;
}

function Block({ kind: Element, lines }: TextBlock) {
  if (Element !== 'ul' && Element !== 'ol') return <Element>{inline(lines.join('\n'))}</Element>;
  return (
    <Element>
      {lines.map((line, i) => (
        <li key={i}>{inline(line)}</li>
      ))}
    </Element>
  );
}

/** Each part ends at the first character that it cannot contain, so that the time grows with the text only. */
const INLINE = /\*\*(?<bold>[^*\n]+)\*\*|\[(?<label>[^[\]\n]+)\]\((?<href>[^()\s]+)\)/g;
/** Pages and addresses, and paths of this site. All else, such as `javascript:`, stays text. */
const HREF = /^(?:https?:\/\/|mailto:|\/(?![/\\]))/i;

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const { bold, label, href = '' } = match.groups!;
    if (bold === undefined && !HREF.test(href)) continue;
    parts.push(text.slice(end, match.index));
    // Bold words may contain links, and no bold words.
    parts.push(bold === undefined ? <a href={href}>{label}</a> : <strong>{inline(bold)}</strong>);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
