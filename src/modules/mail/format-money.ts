import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { moneyText } from '../../shared/money-text.ts';

/** An amount in the store's currency as people write it: "€84.20", "84,20 €". */
export function formatMoney({ currency }: Site, language: Language, minor: number): string {
  return moneyText(currency, language, currency.toMajor(minor));
}
