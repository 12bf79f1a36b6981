import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  goodsNamesOf,
  areInConflict,
  bonusSentence,
  isConcerned,
  ruleSentence,
  rulesOf,
  writerIn,
  type Earner,
  type RewardBonus,
  type RewardLists,
  type RewardRule,
  type RuleNames,
} from '../rewards/index.ts';

/** More changes than these are counted only; the portal shows all rules. */
const CHANGES_MAX = 20;

/** The lists before and after, and what their sentences need. */
export interface Comparison {
  readonly before: RewardLists;
  readonly after: RewardLists;
  readonly day: string;
  readonly stores: RuleNames['stores'];
}

/** An affiliate for whom the lists are compared. */
export interface Member extends Earner {
  readonly hasOrders: boolean;
}

/** Finds what has changed for affiliates. Those with the same rules have it computed once. */
export class OwnChanges {
  readonly #site: Site;
  readonly #lists: Comparison;
  readonly #texts = new Map<string, string>();

  constructor(site: Site, lists: Comparison) {
    this.#site = site;
    this.#lists = lists;
  }

  /** The paragraphs of the mail; empty if the same sentences apply as before. */
  textFor(member: Member, language: Language): string {
    const [before, after] = [this.#lists.before, this.#lists.after].map((lists) =>
      ownPart(member, lists),
    );
    const named = this.#couponsNamed(member);
    const ids = [before!, after!].flatMap(({ rules, bonuses }) => [rules, bonuses]);
    const key = JSON.stringify([language, named, ids.map((list) => list.map(({ id }) => id))]);
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = this.#compare(member, before!, after!, language);
      this.#texts.set(key, text);
    }
    return text;
  }

  #couponsNamed({ coupons }: Member): number[] {
    const { before, after } = this.#lists;
    const all = [before, after].flatMap(({ rules = [], bonuses = [] }) => [...rules, ...bonuses]);
    const named = new Set(all.flatMap(({ who }) => who.coupons ?? []));
    return [...coupons.keys()].filter((id) => named.has(id));
  }

  #compare(member: Member, before: RewardLists, after: RewardLists, language: Language): string {
    const was = this.#sentences(member, before, language);
    const is = this.#sentences(member, after, language);
    const [old, now] = [without(was.all, is.all), without(is.all, was.all)];
    const writer = writerIn(language);
    const changes = [
      ...[...now].map(([key, sentence]) =>
        old.has(key)
          ? writer.say('rewards.change.both', { before: old.get(key)!, after: sentence })
          : writer.say('rewards.change.added', { after: sentence }),
      ),
      ...[...old]
        .filter(([key]) => !now.has(key))
        .map(([, sentence]) => writer.say('rewards.change.removed', { before: sentence })),
    ];
    const sentences = reordered(was.rules, is.rules).join('\n');
    if (sentences !== '') changes.push(writer.say('rewards.change.order', { sentences }));
    const more = changes.length - CHANGES_MAX;
    if (more > 0) {
      changes.length = CHANGES_MAX;
      changes.push(writer.say('rewards.change.more', { count: writer.number(more) }));
    }
    return changes.join('\n\n');
  }

  /** The sentences that apply to an affiliate: all by what makes them, and the rules by their sentence. */
  #sentences(member: Member, { rules = [], bonuses = [] }: RewardLists, language: Language) {
    const { day, stores } = this.#lists;
    const site = this.#site;
    const none = { groups: new Map(), affiliates: new Map() };
    const names = { ...none, coupons: member.coupons, stores, goods: goodsNamesOf(site) };
    const own = rulesOf(member, rules, day).map(
      (rule) => [ruleSentence(rule, names, language, site, 'affiliate'), rule] as const,
    );
    return {
      all: new Map([
        ...own.map(([sentence, { id }]) => [`rule ${id}`, sentence] as const),
        ...bonuses.map(
          (bonus) =>
            [
              `bonus ${bonus.id}`,
              bonusSentence(bonus, names, language, site, 'affiliate'),
            ] as const,
        ),
      ]),
      rules: new Map(own),
    };
  }
}

/** In their new order, the sentences of before that decide in another order, where that changes what an order earns. */
function reordered(was: Map<string, RewardRule>, is: Map<string, RewardRule>): string[] {
  const before = [...was.keys()].filter((sentence) => is.has(sentence));
  const after = [...is.keys()].filter((sentence) => was.has(sentence));
  const place = new Map(before.map((sentence, i) => [sentence, i]));
  const moved = new Set<string>();
  for (const [i, above] of after.entries()) {
    for (const below of after.slice(i + 1)) {
      if (place.get(above)! < place.get(below)!) continue;
      if (areInConflict(is.get(above)!, is.get(below)!)) moved.add(above).add(below);
    }
  }
  return after.filter((sentence) => moved.has(sentence));
}

/** The sentences that the other side does not have, also under another id: a rule may have been made again. */
function without(sentences: Map<string, string>, others: Map<string, string>) {
  const same = new Set(others.values());
  return new Map([...sentences].filter(([, sentence]) => !same.has(sentence)));
}

/** The active rules and bonuses that concern an affiliate. */
function ownPart(member: Member, { rules = [], bonuses = [] }: RewardLists) {
  return {
    rules: rules.filter(({ active, who }) => active && isConcerned(member, who)),
    bonuses: bonuses.filter(
      (bonus) => bonus.active && isConcerned(member, bonus.who) && isOpen(member, bonus),
    ),
  };
}

/** A member gets nothing for joining any more, and with orders, nothing for the first one. */
function isOpen({ hasOrders }: Member, { target }: RewardBonus): boolean {
  return !('event' in target) || (target.event === 'first_order' && !hasOrders);
}
