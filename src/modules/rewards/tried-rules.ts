import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { checkRule } from './check-rule.ts';
import { readInput } from './list-operations.ts';
import { RuleInput, RULES_MAX } from './rule-schema.ts';
import type { RewardRule } from './rule.ts';
import { rewardRules } from './rules.ts';

/** Rules that are tried before they are saved: the whole list, in its order. */
export const TriedRules = Type.Array(
  Type.Object(
    {
      ...RuleInput.properties,
      id: Type.Optional(Id('The rule that it replaces, whose limits go on; none for a new one.')),
    },
    { $id: 'TriedRewardRule' },
  ),
  { maxItems: RULES_MAX, description: 'The whole list, in its order, instead of the saved one.' },
);

type TriedRules = Static<typeof TriedRules>;

/** Reports what the schema of a list cannot express. */
export function checkTriedRules(
  rules: TriedRules | undefined,
  errors: FieldErrors,
  site: Site,
): void {
  const ids = new Set<number>();
  for (const [i, rule] of (rules ?? []).entries()) {
    const own = new FieldErrors();
    checkRule(rule, own, site);
    if (rule.id !== undefined && ids.has(rule.id)) own.add('id', 'must be given only once');
    if (rule.id !== undefined) ids.add(rule.id);
    addBelow(`rules[${i}]`, own, errors);
  }
}

/** The rules of a list that is tried. A new rule has an id below zero. */
export async function triedRules(db: Reader, site: Site, rules: TriedRules): Promise<RewardRule[]> {
  const errors = new FieldErrors();
  const tried: RewardRule[] = [];
  for (const [i, { id = -i - 1, position: _, ...input }] of rules.entries()) {
    const own = new FieldErrors();
    const rule = await readInput(rewardRules, { db, site, nowMs: site.clock() }, input, own);
    tried.push({ ...rule, id });
    addBelow(`rules[${i}]`, own, errors);
  }
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return tried;
}

function addBelow(place: string, own: FieldErrors, errors: FieldErrors): void {
  for (const [name, reason] of Object.entries(own.invalid)) errors.add(`${place}.${name}`, reason);
}
