import type { Reader } from '../../db/database.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { languageOf } from '../web/index.ts';
import { hiddenBy } from './hidden-by.ts';
import { missingIn, readNames } from './rule-names.ts';
import type { StoredRule } from './rule-rows.ts';
import type { RewardRuleWire } from './rule-schema.ts';
import { ruleSentence } from './sentences.ts';

/** The rules as responses show them: groups by name, with what follows from the list. */
export async function answerRules(
  { db, site, request }: { db: Reader; site: Site; request: RequestFacts },
  list: readonly StoredRule[],
  /** Only the rule with this id. */
  only?: number,
): Promise<RewardRuleWire[]> {
  const wanted = only === undefined ? list : list.filter(({ rule }) => rule.id === only);
  const names = await readNames(
    db,
    site,
    wanted.map(({ rule }) => rule),
  );
  const language = languageOf(site, request);
  const rules = list.map(({ rule }) => rule);
  return wanted.map((stored) => {
    const { rule, version } = stored;
    const index = list.indexOf(stored);
    const { id, who, ...rest } = rule;
    const groups = who.groups?.map((group) => names.groups.get(group) ?? group);
    return {
      id,
      position: index + 1,
      version,
      // The lists of a stored rule are read-only.
      ...(structuredClone({ ...rest, who: { ...who, ...(groups && { groups }) } }) as RuleParts),
      sentence: ruleSentence(rule, names, language, site),
      missing: missingIn(rule, names),
      hidden_by: hiddenBy(rules, index),
    };
  });
}

type RuleParts = Omit<
  RewardRuleWire,
  'id' | 'position' | 'version' | 'sentence' | 'missing' | 'hidden_by'
>;
