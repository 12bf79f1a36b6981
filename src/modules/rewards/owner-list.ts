import Type from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, type ErrorDefinition } from '../../kernel/declare/errors.ts';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { Point } from '../../kernel/declare/point.ts';
import { defineSetting, type SettingDefinition } from '../../kernel/declare/setting.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { emit } from '../events/index.ts';
import { loadSettings, saveSetting } from '../settings/index.ts';
import { siteLanguage } from '../store-profile/index.ts';
import { defineListEvents, type ListEvents, type ListEventWords } from './list-events.ts';
import { listRows, type Stored } from './list-rows.ts';
import { readNames } from './rule-names.ts';
import type { RewardBonus, RewardRule, RuleOrder, RuleWho } from './rule.ts';
import type { RuleNames } from './sentence-parts.ts';

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

/** What a rule and a bonus have in common. */
export interface Listed {
  readonly id: number;
  readonly active: boolean;
  readonly who: RuleWho;
  readonly order?: RuleOrder;
}

/** What is different between the list of rules and that of bonuses. */
export interface ListDefinition<T extends Listed> extends ListEventWords {
  readonly table: 'reward_rules' | 'reward_bonuses';
  readonly key: keyof RewardLists;
  readonly many: 'reward rules' | 'bonuses';
  /** The key of the setting with the version of the list. */
  readonly version: string;
  readonly max: number;
  /** The code of the error of one more. */
  readonly tooMany: string;
  /** Reports what does not fit together, where only a part of it may be of the request. */
  check(item: T, errors: FieldErrors, site: Site): void;
  /** What is stored of the given fields, in the place of the one before. */
  completed(given: Partial<T>, before: T | undefined, site: Site, nowMs: number): T;
  sentence(item: T, names: RuleNames, language: Language, site: Site): string;
  /** What responses have of one besides, and what they leave out: undefined. */
  shown?(items: readonly T[], index: number): object;
  /** Runs at the end of each change. */
  onChange?(tx: Transaction, site: Site, nowMs: number): void;
}

/** A list while one transaction changes it. */
export interface OpenList<T> {
  readonly stored: readonly Stored<T>[];
  readonly version: number;
  /** The version after the change. */
  readonly next: number;
}

export interface Changing {
  readonly db: Transaction;
  readonly site: Site;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** The list of rules or that of bonuses. */
export class OwnerList<T extends Listed, Wire> {
  /** Never set. It ties the type of responses to the list. */
  declare readonly wire: Wire;
  readonly is: ListDefinition<T>;
  readonly rows: ReturnType<typeof listRows<T>>;
  /**
   * The version of the list, which every change of it raises. Settings are in the memory of every instance, so an order
   * needs no statement to know that what is in memory is current, or that there is nothing.
   */
  readonly version: SettingDefinition<Type.TInteger>;
  readonly tooMany: ErrorDefinition;
  readonly events: ListEvents;

  constructor(definition: ListDefinition<T>) {
    const { key, many, max, table } = definition;
    this.is = definition;
    this.rows = listRows<T>(table);
    const help = `The version of the list of ${many}; operations on ${key} change it.`;
    this.version = {
      ...defineSetting(definition.version, Type.Integer({ minimum: 0 }), 0, help),
      isHidden: true,
      refuseChange: () => Promise.resolve(`changes with the ${many} only`),
    };
    const message = `There are ${max} ${many} already. Delete one first.`;
    this.tooMany = defineError(definition.tooMany, 409, message);
    this.events = defineListEvents(definition);
  }

  async read(db: Reader): Promise<T[]> {
    return (await this.rows.read(db)).map(({ item }) => item);
  }

  /** The version of the list in the database. */
  async readVersion(db: Reader, site: Site): Promise<number> {
    const stored = new Map(await loadSettings(db, site)).get(this.version.key);
    return Number(stored ?? this.version.default);
  }

  /**
   * Remembers what the active ones mean, and computes it again after the version has changed. A list without any change
   * since the installation is never read.
   */
  remember<M>(none: M, meaning: (active: readonly T[], version: number) => M) {
    const memories = perSite(() => ({ version: 0, known: none }));
    return async (site: Site): Promise<M> => {
      const version = site.settings.get(this.version);
      const memory = memories(site);
      if (memory.version === version) return memory.known;
      const active = (await this.read(site.database.read)).filter((one) => one.active);
      return Object.assign(memory, { version, known: meaning(active, version) }).known;
    };
  }

  /** Locks the list. It is read from the database, because another process may have changed it. */
  async open({ db, site }: Changing): Promise<OpenList<T>> {
    await db.lock('settings');
    const version = await this.readVersion(db, site);
    return { stored: await this.rows.read(db), version, next: version + 1 };
  }

  requireRoom({ stored }: OpenList<T>, count = 1): void {
    if (stored.length + count > this.is.max) throw new ApiError(this.tooMany);
  }

  async insert(by: Changing, added: Stored<T>): Promise<Stored<T>> {
    const stored = await this.rows.insert(by.db, added, by.nowMs);
    await this.#emit(by, { after: stored.item });
    return stored;
  }

  async update(by: Changing, before: T, after: Stored<T>): Promise<void> {
    await this.rows.update(by.db, after, by.nowMs);
    await this.#emit(by, { before, after: after.item });
  }

  async delete(by: Changing, { item }: Stored<T>): Promise<void> {
    await this.rows.delete(by.db, { id: item.id });
    await this.#emit(by, { before: item });
  }

  /** Emits the event for one before and after its change; one of them may be absent. */
  async #emit(
    { db, site, caller, nowMs }: Changing,
    { before, after }: { before?: T; after?: T },
  ): Promise<void> {
    const items = [before, after].filter((item) => item !== undefined);
    // Events are kept when the data of a person is erased, so they have the ids of people, not their names.
    const names = { ...(await readNames(db, site, items)), affiliates: new Map<number, string>() };
    const language = site.settings.get(siteLanguage);
    const [previous, sentence] = [before, after].map(
      (item) => item && this.is.sentence(item, names, language, site),
    );
    const { noun, title } = this.is;
    const what = !before ? 'created' : after ? 'changed' : 'deleted';
    const { id } = items[0]!;
    emit(db, this.events[what === 'deleted' ? 'removed' : what], {
      objectId: id,
      userId: actorId(caller),
      info: `${title} ${id} ${what}: ${sentence ?? previous}`,
      data: {
        [`${noun}_id`]: id,
        ...(after && { sentence, active: after.active }),
        ...(before && { previous }),
      },
      nowMs,
    });
  }

  /** Ends a change. */
  async finish(by: Changing, list: OpenList<T>): Promise<void> {
    const { db, site, nowMs } = by;
    const before = { [this.is.key]: list.stored.map(({ item }) => item) };
    for (const note of site.registry.contributions(rewardChanges)) {
      await note(db, site, before, nowMs);
    }
    await this.finishSilently(by, list);
  }

  /** Ends a change without a mail to the affiliates whom it concerns. Every instance reads the list again. */
  async finishSilently(
    { db, site, caller, nowMs }: Changing,
    { next }: OpenList<T>,
  ): Promise<void> {
    const { version } = this;
    await saveSetting(db, site, version, next, { userId: actorId(caller), nowMs });
    db.afterCommitEverywhere(() => site.settings.apply([[version.key, next]], { whole: false }));
    this.is.onChange?.(db, site, nowMs);
  }
}
