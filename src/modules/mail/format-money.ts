import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** An amount in the store's currency as people write it: "€84.20", "84,20 €". */
export function formatMoney({ currency }: Site, language: Language, minor: number): string {
  const { code, decimals } = currency;
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
  return format.format(currency.toMajor(minor));
}
