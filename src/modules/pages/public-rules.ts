import type { Reader } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { activeRules, readNames, ruleSentence, rulesOf } from '../rewards/index.ts';

/** Someone who is in no group and has no coupon: only rules for everyone concern it. */
const VISITOR = { id: 0, groups: [], coupons: new Map<number, string>() };

const NO_RULES: readonly string[] = [];

interface Written {
  readonly revision: number;
  readonly day: string;
  readonly sentences: readonly string[];
}

const memories = perSite(() => new Map<Language, Written>());

/**
 * The sentences of the rules that hold for everyone and are not over. The same array until settings, rules or the day
 * change, so a page is rendered again only then.
 */
export async function publicRules(
  db: Reader,
  site: Site,
  language: Language,
  nowMs: number,
): Promise<readonly string[]> {
  const { rules } = await activeRules(site);
  if (rules.length === 0) return NO_RULES;
  const { revision } = site.registry;
  const day = site.calendar.dayOf(nowMs);
  const known = memories(site).get(language);
  if (known?.revision === revision && known.day === day) return known.sentences;
  const shown = rulesOf(VISITOR, rules, day);
  const names = await readNames(db, site, shown);
  const sentences = shown.map((rule) => ruleSentence(rule, names, language, site, 'affiliate'));
  memories(site).set(language, { revision, day, sentences });
  return sentences;
}
