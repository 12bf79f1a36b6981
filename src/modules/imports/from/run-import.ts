import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../../coupons/index.ts';
import { addHistory } from '../history-rows.ts';
import { beginImport, claimPiece } from '../import-progress.ts';
import { countOnImport, saveImportState } from '../import-rows.ts';
import { rehearsalOf } from '../rehearsal.ts';
import type { AffiliateGroup } from './affiliate-groups.ts';
import { findExisting, type ApplyContext, type Finding } from './apply-affiliate.ts';
import { applyAffiliates, compareHistory } from './apply-pieces.ts';
import { applyRules, compareRules, type ReportedRule } from './apply-rules.ts';
import { rateNames, type RateName } from './model.ts';
import type { RulePlan } from './plan-rules.ts';
import { planImport, type Plan } from './plan.ts';
import type { SourceFile } from './read-file.ts';
import type { ReportedLine } from './reported-line.ts';
import type { System } from './system.ts';

/** Small pieces: while one is written, other writers of a SQLite file wait. */
const AFFILIATES_AT_ONCE = 25;
const RECORDS_AT_ONCE = 500;

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly invite: boolean;
  /** The name that the list of imports shows. */
  readonly runBy: string;
  /** No piece begins after this time; the same files go on with the rest. */
  readonly untilMs?: number;
  /** Called after each piece with the share that is done. */
  readonly onProgress?: (share: number) => void;
}

export interface ImportResult {
  /** Null for a dry run. */
  readonly id: number | null;
  /** Pieces that an interrupted run of the same files had applied. */
  readonly resumedAfter: number;
  /** The share that is done: 1 if nothing is left. */
  readonly share: number;
  readonly lines: readonly ReportedLine[];
  /** In the smallest unit: what was added to balances, and what waits for approval in the old system. */
  readonly opening: number;
  readonly pending: number;
  /** Reward rules that the files make. */
  readonly rules: readonly ReportedRule[];
  /** What the old system pays where no rule applies, and what the files do not say; undefined for none. */
  readonly rates?: Pick<RulePlan, 'standard' | 'isOwnUnknown'>;
}

/**
 * Imports the files of another system: affiliates with codes and balances first, then history, in pieces of one
 * transaction each. An import that was interrupted continues after its last piece when the same files are given.
 */
export async function runImport(
  site: Site,
  system: System,
  sources: readonly SourceFile[],
  options: ImportOptions,
): Promise<ImportResult> {
  const files = sources.toSorted((a, b) => compare(a.name, b.name) || compare(a.digest, b.digest));
  const plan = planImport(system, files, {
    currency: site.currency,
    calendar: site.calendar,
    nowMs: site.clock(),
    storeRates: storeRatesOf(site),
  });
  const run = new ImportRun(options.dryRun ? rehearsalOf(site) : site, system, plan, options);
  if (!options.dryRun) await run.begin(files);
  await run.applyAll();
  return run.end();
}

function storeRatesOf({ settings }: Site): RateName[] {
  const values = [commissionPercent, commissionFixedPerOrder, commissionFixedPerProduct].map(
    (setting) => settings.get(setting),
  );
  return rateNames.filter((_, i) => values[i] !== 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

class ImportRun {
  readonly #site: Site;
  readonly #system: System;
  readonly #plan: Plan;
  readonly #options: ImportOptions;
  readonly #users = new Map<AffiliateGroup, number | undefined>();
  #id = 0;
  #done = 0;
  #resumedAfter = 0;
  #opening = 0;
  #share = 1;
  #rules: readonly ReportedRule[] = [];

  constructor(site: Site, system: System, plan: Plan, options: ImportOptions) {
    this.#site = site;
    this.#system = system;
    this.#plan = plan;
    this.#options = options;
  }

  async begin(files: readonly SourceFile[]): Promise<void> {
    const { id, pieces } = await beginImport(this.#site, {
      system: this.#system.name,
      files,
      runBy: this.#options.runBy,
    });
    this.#id = id;
    this.#resumedAfter = pieces;
  }

  async applyAll(): Promise<void> {
    const { groups, history } = this.#plan;
    const affiliatePieces = inPieces(groups, AFFILIATES_AT_ONCE);
    const historyPieces = inPieces(history, RECORDS_AT_ONCE);
    const { rules } = this.#plan.rates;
    const total = affiliatePieces.length + historyPieces.length + (rules.length > 0 ? 1 : 0);
    this.#share = total === 0 ? 1 : 0;
    const each = async (apply: () => Promise<Finding[]>, lines: () => Iterable<ReportedLine>) => {
      if (this.#done < this.#resumedAfter) {
        this.#done += 1;
        for (const line of lines()) line.outcome ??= 'known';
      } else {
        for (const finding of await apply()) report(finding);
      }
      this.#share = this.#done / total;
      this.#options.onProgress?.(this.#share);
    };
    const isOver = () => Date.now() > (this.#options.untilMs ?? Infinity);
    for (const piece of affiliatePieces) {
      if (isOver()) return;
      await each(
        () => this.#applyAffiliates(piece),
        () => piece.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'affiliate')),
      );
    }
    for (const piece of historyPieces) {
      if (isOver()) return;
      await each(
        () => this.#applyHistory(piece),
        () => piece.map(({ line }) => line),
      );
    }
    if (rules.length === 0 || isOver()) return;
    await each(
      () => this.#applyRules(rules),
      () => rules.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'affiliate')),
    );
  }

  async end(): Promise<ImportResult> {
    if (!this.#options.dryRun && this.#share === 1) {
      await this.#site.database.transaction((tx) =>
        saveImportState(tx, this.#id, 'done', this.#site.clock()),
      );
    }
    const { lines, groups } = this.#plan;
    return {
      id: this.#options.dryRun ? null : this.#id,
      resumedAfter: this.#resumedAfter,
      share: this.#share,
      lines,
      opening: this.#opening,
      pending: groups.reduce((sum, { pending }) => sum + pending, 0),
      rules: this.#rules,
      rates: this.#plan.rates,
    };
  }

  async #applyAffiliates(groups: readonly AffiliateGroup[]): Promise<Finding[]> {
    const taken = [...this.#users.values()].filter((id) => id !== undefined);
    const { users, findings, opening } = await this.#piece((tx, context) =>
      applyAffiliates(tx, context, groups, taken),
    );
    for (const [group, userId] of users) this.#users.set(group, userId);
    this.#opening += opening;
    return findings;
  }

  async #applyHistory(records: Plan['history']): Promise<Finding[]> {
    const userOf = (group: AffiliateGroup) => this.#userOf(group);
    if (this.#options.dryRun) {
      // The users that a rehearsal has created are gone, so nothing can refer to them.
      const context = { system: this.#system, importId: 0 };
      const { database } = this.#site;
      this.#done += 1;
      return (await compareHistory(database.read, context, records, userOf)).findings;
    }
    return this.#piece(async (tx, context) => {
      const { rows, findings } = await compareHistory(tx, context, records, userOf);
      await addHistory(tx, rows);
      await countOnImport(tx, context.importId, { records: rows.length });
      return findings;
    });
  }

  async #applyRules(rules: RulePlan['rules']): Promise<Finding[]> {
    const { reported, findings } = this.#options.dryRun
      ? await this.#rehearseRules(rules)
      : await this.#piece((tx, context) =>
          applyRules(tx, context, rules, (group) => this.#userOf(group)),
        );
    this.#rules = reported;
    return findings;
  }

  /** The users that a rehearsal has created are gone: those that would be created get numbers below zero. */
  async #rehearseRules(rules: RulePlan['rules']) {
    const { read } = this.#site.database;
    const context = { site: this.#site, system: this.#system };
    const created = new Map<AffiliateGroup, number>();
    this.#done += 1;
    return compareRules(read, context, rules, async (group) => {
      if (this.#users.get(group) === undefined) return undefined;
      const existing = await findExisting(read, this.#system, group);
      if (existing) return existing.id;
      if (!created.has(group)) created.set(group, -created.size - 1);
      return created.get(group);
    });
  }

  /** The user of an affiliate; after an interruption it is found again. */
  async #userOf(group: AffiliateGroup): Promise<number | undefined> {
    if (this.#users.has(group)) return this.#users.get(group);
    const user =
      group.state === 'applicant'
        ? undefined
        : await findExisting(this.#site.database.read, this.#system, group);
    this.#users.set(group, user?.id);
    return user?.id;
  }

  /** One transaction, which also counts the piece: either both are stored or neither. */
  async #piece<T>(work: (tx: Transaction, context: ApplyContext) => Promise<T>): Promise<T> {
    const { dryRun, invite } = this.#options;
    const result = await this.#site.database.transaction(async (tx) => {
      const importId = dryRun ? 0 : this.#id;
      if (!dryRun) await claimPiece(tx, importId, this.#done);
      const nowMs = this.#site.clock();
      const context = { site: this.#site, system: this.#system, importId, invite, nowMs };
      return work(tx, context);
    });
    this.#done += 1;
    return result;
  }
}

function inPieces<T>(all: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
  return pieces;
}

function report({ line, outcome, message }: Finding): void {
  if (outcome !== undefined && line.outcome !== 'refused') line.outcome = outcome;
  if (message !== undefined) line.messages.push(message);
}
