import type { Language } from './languages.ts';
import type { Currency } from './money.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** An amount in major units as people write it: "€84.20", "84,20 €". */
export function moneyText({ code, decimals }: Currency, language: Language, major: number): string {
  const key = `${language} ${code}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(key, format);
  }
  return format.format(major);
}
