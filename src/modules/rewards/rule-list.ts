import type { Selectable } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { RewardRule } from './rule.ts';
import { rulesVersion } from './settings.ts';
import type { RewardRulesTable } from './tables.ts';

type RuleRow = Pick<Selectable<RewardRulesTable>, 'id' | 'content'>;

const inOrder = readAll<object, RuleRow>((db) =>
  db.selectFrom('reward_rules').select(['id', 'content']).orderBy('position').orderBy('id'),
);

/** The rules that are active, in their order. */
export interface RuleList {
  readonly version: number;
  readonly rules: readonly RewardRule[];
}

const NO_RULES: RuleList = { version: 0, rules: [] };

const lists = perSite(() => ({ loaded: NO_RULES }));

/**
 * The active rules. They are read again after the version has changed; a list without any change since the installation
 * is never read.
 */
export async function activeRules(site: Site): Promise<RuleList> {
  const version = site.settings.get(rulesVersion);
  const memory = lists(site);
  if (memory.loaded.version === version) return memory.loaded;
  const rules = (await readRules(site.database.read)).filter(({ active }) => active);
  memory.loaded = { version, rules };
  return memory.loaded;
}

/** All rules, in their order. */
async function readRules(db: Reader): Promise<RewardRule[]> {
  const rows = await inOrder(db);
  // Only rules that were checked are stored.
  return rows.map(({ id, content }) => ({
    id,
    ...(JSON.parse(content) as Omit<RewardRule, 'id'>),
  }));
}
