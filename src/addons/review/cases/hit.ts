import type { Language } from '../../../shared/languages.ts';
import { textIn } from '../../../shared/texts.ts';
import type { RuleName } from '../rules/rules.ts';

/** What a rule has found: its figures, and nothing that a hash hides elsewhere. */
export interface Hit {
  readonly rule: RuleName;
  readonly at: number;
  readonly figures: Readonly<Record<string, string | number>>;
}

/** A hit as a sentence for the team. */
export function sentenceOf({ rule, figures }: Hit, language: Language): string {
  return textIn(language, `server.review.${rule}`, figures);
}

/** A person who was erased has left no evidence, only the rule. */
export function hitsOf(evidence: string): readonly Hit[] {
  return evidence === '' ? [] : (JSON.parse(evidence) as Hit[]);
}
