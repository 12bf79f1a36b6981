import type { Transaction } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { openList, saveVersion } from './change-list.ts';
import { tooManyRules } from './create-rule.ts';
import { emitRuleChange } from './rule-events.ts';
import { deleteRuleRow, insertRule, type NewRule } from './rule-rows.ts';
import { RULES_MAX } from './rule-schema.ts';
import { rulesVersion } from './settings.ts';

interface By {
  readonly caller: Caller;
  readonly nowMs: number;
}

/** A rule at the version that it was added with. */
export interface AddedRule {
  readonly id: number;
  readonly version: number;
}

/** Adds rules that were checked, after the others, with one version of the list. No affiliate gets a mail about them. */
export async function addRules(
  tx: Transaction,
  site: Site,
  rules: readonly NewRule[],
  by: By,
): Promise<AddedRule[]> {
  if (rules.length === 0) return [];
  const { rules: known, next: version } = await openList(tx, site);
  if (known.length + rules.length > RULES_MAX) throw new ApiError(tooManyRules);
  let position = known.at(-1)?.position ?? 0;
  const added: AddedRule[] = [];
  for (const one of rules) {
    position += 1;
    const rule = await insertRule(tx, one, position, { version, nowMs: by.nowMs });
    await emitRuleChange(tx, site, { after: rule }, by);
    added.push({ id: rule.id, version });
  }
  await saveVersion(tx, site, { of: rulesVersion, next: version }, by);
  return added;
}

/** Removes rules that are as they were added; one that was changed since stays. Returns the ids of both kinds. */
export async function removeRules(
  tx: Transaction,
  site: Site,
  added: readonly AddedRule[],
  by: By,
): Promise<{ removed: number[]; changed: number[] }> {
  if (added.length === 0) return { removed: [], changed: [] };
  const { rules, next } = await openList(tx, site);
  const versions = new Map(added.map(({ id, version }) => [id, version]));
  const own = rules.filter(({ rule }) => versions.has(rule.id));
  const unchanged = own.filter(({ rule, version }) => versions.get(rule.id) === version);
  for (const { rule } of unchanged) {
    await deleteRuleRow(tx, { id: rule.id });
    await emitRuleChange(tx, site, { before: rule }, by);
  }
  if (unchanged.length > 0) await saveVersion(tx, site, { of: rulesVersion, next }, by);
  const idOf = ({ rule }: (typeof own)[number]) => rule.id;
  return {
    removed: unchanged.map(idOf),
    changed: own.filter((one) => !unchanged.includes(one)).map(idOf),
  };
}
