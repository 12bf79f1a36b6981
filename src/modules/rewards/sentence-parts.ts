import type { Site } from '../../kernel/declare/site.ts';
import {
  countryName,
  dayText,
  listText,
  moneyText,
  numberText,
  percentText,
} from '../../shared/formats.ts';
import type { Language } from '../../shared/languages.ts';
import { textIn, type TextKey } from '../../shared/texts.ts';
import type { whatKinds } from '../../web-contract/reward-kinds.ts';

/** Amounts are in its currency. */
export type Store = Pick<Site, 'currency'>;

export type Goods = (typeof whatKinds)[number];

/** The name of a product, a category or a tag, by the id that its store gives it. */
export type GoodsNames = (kind: Goods, id: string) => string;

/** The names of what rules refer to by ids of the service. An id without a name reads `#12`. */
export interface OwnNames {
  readonly groups: ReadonlyMap<number, string>;
  readonly affiliates: ReadonlyMap<number, string>;
  /** For an affiliate: only the affiliate's own coupons. Others are left out of the sentence. */
  readonly coupons: ReadonlyMap<number, string>;
  readonly stores: ReadonlyMap<number, string>;
}

export interface RuleNames extends OwnNames {
  readonly goods: GoodsNames;
}

export type Audience = 'owner' | 'affiliate';

type Values = Readonly<Record<string, string | number>>;

/** The keys of texts with a singular and a plural, without `.one` and `.other`. */
type CountedKey = TextKey extends infer Key
  ? Key extends `${infer Base extends `${'rewards' | 'server.bonus'}.${string}`}.other`
    ? Base
    : never
  : never;

type ListedKind = TextKey extends infer Key
  ? Key extends `rewards.others.${infer Kind}`
    ? Kind
    : never
  : never;

/** More names than these are shortened to the first two and the number of the others. */
const NAMES_MAX = 4;
const NAMES_SHOWN = 2;

/** Writes the parts of a sentence in one language, with the formats of the language. */
export class SentenceWriter {
  readonly language: Language;
  readonly #plurals: Intl.PluralRules;

  constructor(language: Language) {
    this.language = language;
    this.#plurals = new Intl.PluralRules(language);
  }

  say(key: TextKey, values?: Values): string {
    return textIn(this.language, key, values);
  }

  /** The singular or the plural of a text. */
  counted(key: CountedKey, count: number, values?: Values): string {
    const form = this.#plurals.select(count) === 'one' ? 'one' : 'other';
    return this.say(`${key}.${form}`, { count: this.number(count), ...values });
  }

  /**
   * A text with a clause in each of its holes. An empty clause is left out with the space and the punctuation before
   * it.
   */
  frame(key: TextKey, clauses: Readonly<Record<string, string>>): string {
    return this.say(key).replaceAll(/([\s,;]*)\{(\w+)\}/g, (_, separator: string, name: string) => {
      const clause = clauses[name];
      return clause ? separator + clause : '';
    });
  }

  number(value: number): string {
    return numberText(this.language, value);
  }

  percent(value: number): string {
    return percentText(this.language, value);
  }

  money({ currency }: Pick<Site, 'currency'>, major: number): string {
    return moneyText(currency, this.language, major);
  }

  /** `2026-11-30` as people write it. */
  day(day: string): string {
    return dayText(this.language, day);
  }

  country(code: string): string {
    return countryName(this.language, code);
  }

  list(parts: readonly string[], word: 'and' | 'or'): string {
    return listText(this.language, parts, word);
  }

  /** Names in a list, which is shortened if it is long: "A, B and 3 others". */
  names(kind: ListedKind, names: readonly string[], word: 'and' | 'or'): string {
    const clean = names.map((name) => name.replaceAll(/\s+/g, ' ').trim());
    if (clean.length <= NAMES_MAX) return this.list(clean, word);
    const count = this.number(clean.length - NAMES_SHOWN);
    return this.list(
      [...clean.slice(0, NAMES_SHOWN), this.say(`rewards.others.${kind}`, { count })],
      word,
    );
  }
}

const writers = new Map<Language, SentenceWriter>();

/** Cached, because the formats of Intl take longer to make than a sentence. */
export function writerIn(language: Language): SentenceWriter {
  let writer = writers.get(language);
  if (!writer) writers.set(language, (writer = new SentenceWriter(language)));
  return writer;
}

export function namesOf(ids: readonly number[], names: ReadonlyMap<number, string>): string[] {
  return ids.map((id) => names.get(id) || `#${id}`);
}
