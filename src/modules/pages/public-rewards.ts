import type { Reader } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { bonusList } from '../bonuses/index.ts';
import {
  activeRules,
  bonusSentence,
  isConcerned,
  readNames,
  ruleSentence,
  rulesOf,
} from '../rewards/index.ts';

/** Someone who is in no group and has no coupon: only what is for everyone concerns it. */
const VISITOR = { id: 0, groups: [], coupons: new Map<number, string>() };

/** What holds for everyone, as sentences. */
interface PublicRewards {
  /** The first rules, as long as they exclude: whatever follows, these earn nothing. */
  readonly exclusions: readonly string[];
  readonly rules: readonly string[];
  readonly bonuses: readonly string[];
}

const NONE: PublicRewards = { exclusions: [], rules: [], bonuses: [] };

const memories = perSite(
  () => new Map<Language, { revision: number; day: string; rewards: PublicRewards }>(),
);

/**
 * The sentences of the rules that hold for everyone and are not over, and of the bonuses for everyone. The same object
 * until settings, rules, bonuses or the day change, so a page is rendered again only then.
 */
export async function publicRewards(
  db: Reader,
  site: Site,
  language: Language,
  nowMs: number,
): Promise<PublicRewards> {
  const { rules } = await activeRules(site);
  const hasBonuses = site.settings.get(bonusList.version) > 0;
  if (rules.length === 0 && !hasBonuses) return NONE;
  const { revision } = site.registry;
  const day = site.calendar.dayOf(nowMs);
  const known = memories(site).get(language);
  if (known?.revision === revision && known.day === day) return known.rewards;
  const shown = rulesOf(VISITOR, rules, day);
  const names = await readNames(db, site, shown);
  const sentences = shown.map((rule) => ruleSentence(rule, names, language, site, 'affiliate'));
  const earning = shown.findIndex(({ rate }) => !rate.excluded);
  const excluding = earning < 0 ? shown.length : earning;
  const rewards = {
    exclusions: sentences.slice(0, excluding),
    rules: sentences.slice(excluding),
    bonuses: (hasBonuses ? await bonusList.read(db) : [])
      .filter(({ active, who }) => active && isConcerned(VISITOR, who))
      .map((bonus) => bonusSentence(bonus, names, language, site, 'affiliate')),
  };
  memories(site).set(language, { revision, day, rewards });
  return rewards;
}
