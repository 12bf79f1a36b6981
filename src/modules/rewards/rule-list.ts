import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { RewardRule } from './rule.ts';
import { readStoredRules } from './rule-rows.ts';
import { rulesVersion } from './settings.ts';

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
  const stored = await readStoredRules(site.database.read);
  const rules = stored.map(({ rule }) => rule).filter(({ active }) => active);
  memory.loaded = { version, rules };
  return memory.loaded;
}
