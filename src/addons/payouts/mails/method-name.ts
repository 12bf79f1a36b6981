import type { Language } from '../../../shared/languages.ts';
import { findText } from '../../../shared/texts.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';

/** The name of a payout method in a language; `label` is the English one. Brands have no translation. */
export function methodName(language: Language, type: string, label: string): string {
  // The gateway of an extension may have its own label for a method of the same type.
  const key = `server.payout.method.${type}`;
  return findText('en', key) === label ? (findText(language, key) ?? label) : label;
}

export function methodOf(payout: PayoutRow, language: Language): string {
  return methodName(language, payout.method_type, payout.method);
}
