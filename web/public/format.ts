import { currentLanguage } from '../words.ts';

// Pages are rendered on the server, which knows the reader's language but not the region.

/** A percentage as people write it: 10 is "10%". */
export function formatPercent(value: number): string {
  const options = { style: 'percent', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat(currentLanguage(), options).format(value / 100);
}

/** An amount in major units. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency }).format(amount);
}

/** "a, b and c". */
export function joinWords(parts: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(parts);
}

/** The day of a local time of the store. */
export function formatDay(localTime: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${localTime}Z`));
}

/** An empty line in a text that people have written starts a paragraph. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}

const DESCRIPTION_MAX = 200;

/** The first paragraph, at the length that search results show. */
export function descriptionIn(text: string): string | undefined {
  const first = paragraphsOf(text)[0];
  const isLong = first !== undefined && first.length > DESCRIPTION_MAX;
  return isLong ? `${first.slice(0, DESCRIPTION_MAX - 1)}…` : first;
}
