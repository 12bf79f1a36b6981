import type { Reader, Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { loadSettings, saveSetting } from '../settings/index.ts';
import type { RewardBonus } from './bonus.ts';
import type { RewardRule } from './rule.ts';
import { readStoredRules, type StoredRule } from './rule-rows.ts';
import { rulesVersion } from './settings.ts';

/** The list of rules while one transaction changes it. */
export interface OpenList {
  readonly rules: readonly StoredRule[];
  readonly version: number;
  /** The version after the change. */
  readonly next: number;
}

type VersionSetting = typeof rulesVersion;

/** The rules, the bonuses, or both. */
export interface RewardLists {
  readonly rules?: readonly RewardRule[];
  readonly bonuses?: readonly RewardBonus[];
}

type NoteChange = (
  tx: Transaction,
  site: Site,
  before: RewardLists,
  nowMs: number,
) => Promise<void>;

/** Runs with every change of a list, which is locked until its end, with what was in the list before. */
export const rewardChanges = new Point<NoteChange>('rewards.changes');

/** Locks the list. It is read from the database, because another process may have changed it. */
export async function openList(tx: Transaction, site: Site): Promise<OpenList> {
  await tx.lock('settings');
  const version = await readVersion(tx, site, rulesVersion);
  return { rules: await readStoredRules(tx), version, next: version + 1 };
}

/** The version of a list in the database. */
export async function readVersion(db: Reader, site: Site, of: VersionSetting): Promise<number> {
  const stored = new Map(await loadSettings(db, site)).get(of.key);
  return Number(stored ?? of.default);
}

interface ChangeContext {
  readonly caller: Caller;
  readonly nowMs: number;
}

/** Ends a change of the list of rules. */
export function finishChange(
  tx: Transaction,
  site: Site,
  { rules, next }: OpenList,
  context: ChangeContext,
): Promise<void> {
  const before = { rules: rules.map(({ rule }) => rule) };
  return raiseVersion(tx, site, { of: rulesVersion, next, before }, context);
}

/** Saves the next version of a list. Every instance reads the list again when it gets it. */
export async function raiseVersion(
  tx: Transaction,
  site: Site,
  { of, next, before }: { of: VersionSetting; next: number; before: RewardLists },
  { caller, nowMs }: ChangeContext,
): Promise<void> {
  for (const note of site.registry.contributions(rewardChanges)) {
    await note(tx, site, before, nowMs);
  }
  await saveVersion(tx, site, { of, next }, { caller, nowMs });
}

/** Saves the next version of a list, without a mail to the affiliates whom the change concerns. */
export async function saveVersion(
  tx: Transaction,
  site: Site,
  { of, next }: { of: VersionSetting; next: number },
  { caller, nowMs }: ChangeContext,
): Promise<void> {
  await saveSetting(tx, site, of, next, { userId: actorId(caller), nowMs });
  tx.afterCommitEverywhere(() => site.settings.apply([[of.key, next]], { whole: false }));
}

export function requireRule({ rules }: Pick<OpenList, 'rules'>, id: number): StoredRule {
  return requireFound(rules.find(({ rule }) => rule.id === id));
}

/** Throws if the rule was changed after the version that the caller has seen. */
export function requireSeen(
  { version }: Pick<StoredRule, 'version'>,
  seen: number | undefined,
  list = 'reward rules',
): void {
  if (seen !== undefined && version > seen) throw changedMeanwhile(version, list);
}

export function changedMeanwhile(version: number, list = 'reward rules'): ApiError {
  return new ApiError(generalErrors.conflict, {
    message: `Another user has changed the ${list} since. Nothing was saved.`,
    data: { version },
  });
}

/** The rules with one of them at a position, from 1; beyond the end is at the end. */
export function movedTo(
  rules: readonly StoredRule[],
  moved: StoredRule,
  position: number,
): StoredRule[] {
  const others = rules.filter(({ rule }) => rule.id !== moved.rule.id);
  return others.toSpliced(position - 1, 0, moved);
}
