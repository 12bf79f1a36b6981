import { keptFormat } from './kept-format.ts';
import type { Language } from './languages.ts';

// One spelling of amounts, percentages, days and lists for the service, the pages it renders and the web app: that of
// the reader's language. A region would give a page two, because the service knows the language only.

/** An amount in major units as people write it: "€84.20", "84,20 €". Without decimals, the usual ones of the currency. */
export function moneyText(
  { code, decimals }: { readonly code: string; readonly decimals?: number | undefined },
  language: Language,
  major: number,
): string {
  const format = keptFormat(
    `money ${language} ${code} ${decimals}`,
    () =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: code,
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }),
  );
  return format.format(major);
}

export function numberText(language: Language, value: number): string {
  return keptFormat(`number ${language}`, () => new Intl.NumberFormat(language)).format(value);
}

/** As exact as a rate can be. */
const RATE_DIGITS = 8;

/** A percentage as people write it: 12.5 is "12.5%", "12,5 %". */
export function percentText(language: Language, percent: number, digits = RATE_DIGITS): string {
  const format = keptFormat(
    `percent ${language} ${digits}`,
    () => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }),
  );
  return format.format(percent / 100);
}

/** How the first day of a month is written where it is not a plain number. */
const FIRST_DAY: Readonly<Partial<Record<Language, string>>> = { fr: '1er', pt: '1º' };

/** A day or a time, with the parts that the options name. */
export function dateText(
  language: Language,
  instantMs: number,
  options: Intl.DateTimeFormatOptions,
): string {
  const format = keptFormat(
    `date ${language} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(language, options),
  );
  const text = format.format(instantMs);
  const first = FIRST_DAY[language];
  return first ? text.replace(/\b1(?= \p{L})/u, first) : text;
}

/** A day such as 2026-11-30, in full. */
export function dayText(language: Language, day: string): string {
  return dateText(language, Date.parse(`${day}T00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
}

/** "a, b and c" */
export function listText(
  language: Language,
  parts: readonly string[],
  word: 'and' | 'or' = 'and',
): string {
  // British lists have no comma before the last word, like the other languages.
  const locale = language === 'en' ? 'en-GB' : language;
  const type = word === 'and' ? 'conjunction' : 'disjunction';
  return keptFormat(`list ${locale} ${type}`, () => new Intl.ListFormat(locale, { type })).format(
    parts,
  );
}

/** The name of a country by its two letters. */
export function countryName(language: Language, code: string): string {
  const make = () => new Intl.DisplayNames(language, { type: 'region' });
  return keptFormat(`region ${language}`, make).of(code) ?? code;
}
