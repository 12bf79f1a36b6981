import { dateText, listText, moneyText, percentText } from '../../src/shared/formats.ts';
import { Currency } from '../../src/shared/money.ts';
import { currentLanguage } from '../words.ts';

/** A percentage as people write it: 10 is "10%". */
export function formatPercent(value: number): string {
  return percentText(currentLanguage(), value);
}

/** An amount in major units. */
export function formatMoney(amount: number, currency: string): string {
  return moneyText(new Currency(currency), currentLanguage(), amount);
}

/** "a, b and c". */
export function joinWords(parts: readonly string[]): string {
  return listText(currentLanguage(), parts);
}

/** The day of a local time of the store. */
export function formatDay(localTime: string): string {
  const options = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return dateText(currentLanguage(), Date.parse(`${localTime}Z`), options);
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
