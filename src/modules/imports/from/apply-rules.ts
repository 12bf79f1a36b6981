import type { Reader, Transaction } from '../../../db/database.ts';
import { system as systemCaller } from '../../../kernel/declare/caller.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import {
  goodsNamesOf,
  addRules,
  hiddenBy,
  readNames,
  rewardRules,
  ruleDefaults,
  ruleSentence,
  type NewRule,
  type RewardRule,
  type RuleNames,
} from '../../rewards/index.ts';
import { noteRules } from '../import-rows.ts';
import type { AffiliateGroup } from './affiliate-groups.ts';
import type { ApplyContext, Finding } from './apply-affiliate.ts';
import type { PlannedRule } from './plan-rules.ts';

/** A rule as the report shows it. */
export interface ReportedRule {
  readonly outcome: 'new' | 'known';
  /** A rule above always decides before it. */
  readonly isHidden: boolean;
  sentence(language: Language): string;
}

interface ComparedRules {
  readonly fresh: readonly NewRule[];
  readonly reported: readonly ReportedRule[];
  readonly findings: Finding[];
}

/** Compares the rules that files would make with those that are there: an equal one is not made again. */
export async function compareRules(
  db: Reader,
  { site, system }: Pick<ApplyContext, 'site' | 'system'>,
  planned: readonly PlannedRule[],
  userOf: (group: AffiliateGroup) => Promise<number | undefined>,
): Promise<ComparedRules> {
  const people = new People(userOf);
  const list: RewardRule[] = await rewardRules.read(db);
  const known = new Set(list.map(contentOf));
  const fresh: NewRule[] = [];
  const findings: Finding[] = [];
  const compared: { rule: RewardRule; outcome: ReportedRule['outcome']; isHidden: boolean }[] = [];
  for (const { rule, owners, lines } of planned) {
    const ids = owners && (await people.idsOf(owners));
    if (ids?.length === 0) {
      const message = 'its affiliates are not imported';
      findings.push(...rateLines(lines, 'skipped', message));
      continue;
    }
    const one = { ...rule, name: system.title, who: ids ? { affiliates: ids } : {} };
    const isKnown = known.has(contentOf(one));
    const outcome = isKnown ? 'known' : 'new';
    const tried = { id: 0, ...one };
    if (!isKnown) {
      fresh.push(one);
      list.push(tried);
    }
    const isHidden = !isKnown && hiddenBy(list, list.length - 1) !== null;
    compared.push({ rule: tried, outcome, isHidden });
    findings.push(...rateLines(lines, outcome));
  }
  const names = await namesOf(
    db,
    site,
    compared.map(({ rule }) => rule),
    people,
  );
  const reported = compared.map(({ rule, outcome, isHidden }) => ({
    outcome,
    isHidden,
    sentence: (language: Language) => ruleSentence(rule, names, language, site),
  }));
  return { fresh, reported, findings };
}

/** Makes the rules, in the given transaction. */
export async function applyRules(
  tx: Transaction,
  context: ApplyContext,
  planned: readonly PlannedRule[],
  userOf: (group: AffiliateGroup) => Promise<number | undefined>,
): Promise<ComparedRules> {
  const { site, importId, nowMs } = context;
  const compared = await compareRules(tx, context, planned, userOf);
  const added = await addRules({ db: tx, site, caller: systemCaller, nowMs }, compared.fresh);
  await noteRules(tx, importId, added);
  return compared;
}

/** What the old system pays where no rule applies, as a sentence. */
export function standardSentence(rate: NewRule['rate'], language: Language, site: Site): string {
  const none = { groups: new Map(), affiliates: new Map(), coupons: new Map(), stores: new Map() };
  const names = { ...none, goods: goodsNamesOf(site) };
  return ruleSentence({ ...ruleDefaults, id: 0, rate }, names, language, site);
}

/** What a rule does, without its name. */
function contentOf({ who, what, order, from, to, rate, limit, running }: NewRule): string {
  return JSON.stringify([who, what, order, from, to, rate, limit, running]);
}

/** Lines that are about something else, such as an affiliate, keep their outcome. */
function rateLines(
  lines: PlannedRule['lines'],
  outcome: 'new' | 'known' | 'skipped',
  message?: string,
): Finding[] {
  return lines
    .filter(({ kind }) => kind !== 'affiliate')
    .map((line) => ({ line, outcome, ...(message && { message }) }));
}

/** The users of affiliates. One that a dry run would create has a number below zero, and its name from the files. */
class People {
  readonly names = new Map<number, string>();
  readonly #userOf: (group: AffiliateGroup) => Promise<number | undefined>;

  constructor(userOf: (group: AffiliateGroup) => Promise<number | undefined>) {
    this.#userOf = userOf;
  }

  async idsOf(groups: readonly AffiliateGroup[]): Promise<number[]> {
    const ids: number[] = [];
    for (const group of groups) {
      const id = await this.#userOf(group);
      if (id === undefined) continue;
      ids.push(id);
      if (id < 0) this.names.set(id, group.name ?? group.login ?? group.email ?? '');
    }
    return ids.toSorted((a, b) => a - b);
  }
}

async function namesOf(
  db: Reader,
  site: Site,
  rules: readonly RewardRule[],
  people: People,
): Promise<RuleNames> {
  const names = await readNames(db, site, rules);
  return { ...names, affiliates: new Map([...names.affiliates, ...people.names]) };
}
