import type { Site } from '../../kernel/declare/site.ts';
import { moneyText } from '../../shared/formats.ts';
import type { Language } from '../../shared/languages.ts';

/** An amount in the store's currency as people write it: "€84.20", "84,20 €". */
export function formatMoney(
  { currency }: Pick<Site, 'currency'>,
  language: Language,
  minor: number,
): string {
  return moneyText(currency, language, currency.toMajor(minor));
}
