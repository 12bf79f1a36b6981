import type { Site } from '../../../src/kernel/declare/site.ts';
import { affiliateWordsIn } from '../../../src/modules/store-profile/index.ts';
import { dayText, moneyText, numberText, percentText } from '../../../src/shared/formats.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { Currency } from '../../../src/shared/money.ts';
import { textIn, type TextKey } from '../../../src/shared/texts.ts';
import type { FinderName } from '../rules/rules.ts';
import '../texts.ts';

/** What a rule has found: its figures, and nothing that a hash hides elsewhere. */
export interface Hit {
  readonly rule: FinderName;
  readonly at: number;
  readonly figures: Readonly<Record<string, string | number>>;
}

/** A hit as a sentence for the team. A rule that sees several things names the one in `what`. */
export function sentenceOf({ rule, figures }: Hit, site: Site, language: Language): string {
  const { what, reason } = figures;
  // An extension of the site writes its own.
  if (rule === 'extension') return String(reason);
  const key = what === undefined ? `server.review.${rule}` : `server.review.${rule}.${what}`;
  // Each rule has the sentences of what it sees.
  return textIn(language, key as TextKey, {
    ...textsOf(figures, language),
    ...affiliateWordsIn(site, language),
  });
}

/** The figures as people write them, as on the rest of the page. */
function textsOf(figures: Hit['figures'], language: Language): Readonly<Record<string, string>> {
  const write = (name: string, value: string | number): string => {
    if (name === 'day') return dayText(language, String(value));
    if (typeof value !== 'number') return value;
    if (PERCENTAGES.has(name)) return percentText(language, value);
    const { currency } = figures;
    if (name === 'total' && currency !== undefined)
      return moneyText(new Currency(String(currency)), language, value);
    return numberText(language, value);
  };
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, write(name, value)]),
  );
}

const PERCENTAGES = new Set(['share', 'usual_share', 'conversion']);

/** A person who was erased has left no evidence, only the rule. */
export function hitsOf(evidence: string): readonly Hit[] {
  return evidence === '' ? [] : (JSON.parse(evidence) as Hit[]);
}
