import type { Reader } from '../../db/database.ts';
import { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findGroupByName } from '../groups/index.ts';
import { checkRule } from './check-rule.ts';
import type { RewardRule, RuleRate, RuleWho } from './rule.ts';
import { missingIn, readNames } from './rule-names.ts';
import type { NewRule } from './rule-rows.ts';
import type { RuleInput } from './rule-schema.ts';

/** What a rule is that names only its rate. */
const defaults: Omit<NewRule, 'rate'> = {
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
  return withChanges(db, site, { ...defaults, rate: input.rate }, input);
}

/** A rule with the parts of a request. What these name has to exist; what the others name may be deleted. */
export async function withChanges<R extends NewRule | RewardRule>(
  db: Reader,
  site: Site,
  rule: R,
  { who, rate, ...others }: Partial<RuleInput>,
): Promise<R> {
  const errors = new FieldErrors();
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
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return changed;
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
