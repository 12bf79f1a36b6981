import type { GuideHit } from '../../web-contract/page-props.ts';
import type { GuidePage, GuideSection } from './guide-pages.ts';

const HITS_MAX = 30;
const EXCERPT_LENGTH = 200;
/** Of the excerpt, before the first word that was found. */
const LEAD_LENGTH = 60;

/** What a word weighs where it is found. */
const WEIGHTS = { title: 4, heading: 3, text: 1 };

/** So that no query keeps other requests waiting. */
const WORDS_MAX = 10;

interface Place {
  readonly guide: GuidePage;
  readonly section: GuideSection;
  readonly words: number;
  readonly weight: number;
}

/**
 * The sections that have the most of these words, in titles, headings or text; the best first. A word is found where
 * another one begins with it.
 */
export function searchGuides(guides: Iterable<GuidePage>, query: string): GuideHit[] {
  // A single letter begins a word of every section.
  const all = new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu));
  const words = [...all].slice(0, WORDS_MAX);
  const places = [...guides].flatMap((guide) =>
    guide.sections.map((section) => placeOf(guide, section, words)),
  );
  const most = Math.max(...places.map((place) => place.words));
  if (most === 0) return [];
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu');
  return places
    .filter((place) => place.words === most)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, HITS_MAX)
    .map(({ guide, section }) => ({
      title: guide.title,
      heading: section.level === 1 ? undefined : section.heading,
      href: `/help/${guide.name}${section.level === 1 ? '' : `#${section.anchor}`}`,
      excerpt: excerptOf(section.text, found),
    }));
}

function placeOf(guide: GuidePage, section: GuideSection, query: readonly string[]): Place {
  const title = guide.title.toLowerCase();
  const heading = section.heading.toLowerCase();
  const text = section.text.toLowerCase();
  let words = 0;
  let weight = 0;
  for (const word of query) {
    const inHeading = hasWord(heading, word);
    const inText = hasWord(text, word);
    // The title alone says nothing about one of its sections.
    if (!inHeading && !inText) continue;
    words += 1;
    if (inHeading) weight += WEIGHTS.heading;
    if (inText) weight += WEIGHTS.text;
    if (hasWord(title, word)) weight += WEIGHTS.title;
  }
  return { guide, section, words, weight };
}

/** Whether a word of the text begins so. Both are in lower case. */
function hasWord(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}

/** Part of a text around the first word that was found in it, from one word to another. */
function excerptOf(text: string, found: RegExp): GuideHit['excerpt'] {
  const first = Math.max(text.search(found), 0);
  const from = first <= LEAD_LENGTH ? 0 : text.indexOf(' ', first - LEAD_LENGTH) + 1;
  const isWhole = text.length - from <= EXCERPT_LENGTH;
  const to = isWhole ? text.length : text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const excerpt = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${isWhole ? '' : ' …'}`;
  const parts: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  for (const match of excerpt.matchAll(found)) {
    if (match.index > end) parts.push({ text: excerpt.slice(end, match.index), isMatch: false });
    parts.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < excerpt.length) parts.push({ text: excerpt.slice(end), isMatch: false });
  return parts;
}
