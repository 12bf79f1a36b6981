import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findGroupByName } from '../groups/index.ts';
import { checkRule } from './check-rule.ts';
import type { RewardRule, RuleRate, RuleWho } from './rule.ts';
import { missingIn, readNames } from './rule-names.ts';
import type { NewRule } from './rule-rows.ts';
import { RuleInput, RULES_MAX } from './rule-schema.ts';

/** What a rule is that names only its rate. */
export const ruleDefaults: Omit<NewRule, 'rate'> = {
  name: '',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  limit: null,
  running: false,
};

/** The rule of a request that creates one. */
export function newRule(db: Reader, site: Site, input: RuleInput): Promise<NewRule> {
  return withChanges(db, site, { ...ruleDefaults, rate: input.rate }, input);
}

/** A rule with the parts of a request. What these name has to exist; what the others name may be deleted. */
export async function withChanges<R extends NewRule | RewardRule>(
  db: Reader,
  site: Site,
  rule: R,
  input: Partial<RuleInput>,
): Promise<R> {
  const errors = new FieldErrors();
  const changed = await changedBy(db, site, rule, input, errors);
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return changed;
}

async function changedBy<R extends NewRule | RewardRule>(
  db: Reader,
  site: Site,
  rule: R,
  { who, rate, ...others }: Partial<RuleInput>,
  errors: FieldErrors,
): Promise<R> {
  const given = {
    ...others,
    ...(who && { who: await toStoredWho(db, who, errors) }),
    ...(rate && { rate: completeRate(rate) }),
  };
  delete given.position;
  const naming = { who: given.who ?? {}, order: given.order ?? {} };
  for (const { field } of missingIn(naming, await readNames(db, site, [naming]))) {
    errors.invalid[field] ??= 'does not exist';
  }
  const changed = { ...rule, ...given };
  // A day of the request and one of the stored rule may not fit together.
  checkRule({ from: changed.from, to: changed.to }, errors, site);
  return changed;
}

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
  for (const [i, { id = -i - 1, ...input }] of rules.entries()) {
    const own = new FieldErrors();
    const rule = { ...ruleDefaults, rate: input.rate, id };
    tried.push(await changedBy(db, site, rule, input, own));
    addBelow(`rules[${i}]`, own, errors);
  }
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return tried;
}

function addBelow(place: string, own: FieldErrors, errors: FieldErrors): void {
  for (const [name, reason] of Object.entries(own.invalid)) errors.add(`${place}.${name}`, reason);
}

/** Groups are stored by id, so that a rule outlives a new name. */
export async function toStoredWho(
  db: Reader,
  { groups, ...others }: NonNullable<RuleInput['who']>,
  errors: FieldErrors,
): Promise<RuleWho> {
  if (!groups) return others;
  const ids = new Set<number>();
  for (const [i, group] of groups.entries()) {
    const id = typeof group === 'number' ? group : (await findGroupByName(db, group))?.id;
    if (id === undefined) errors.add(`who.groups[${i}]`, 'there is no group with this name');
    else ids.add(id);
  }
  return { groups: [...ids] };
}

/** Rates that are not given are null, so that every rule shows all of them. */
function completeRate(rate: RuleInput['rate']): RuleRate {
  if (rate.excluded) return { excluded: true };
  if (rate.steps) return { steps: rate.steps };
  const { percent = null, fixed_per_order = null, fixed_per_product = null } = rate;
  return { percent, fixed_per_order, fixed_per_product };
}
